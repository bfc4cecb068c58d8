package io.gcdiag.read;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.gcdiag.read.load.AbFormat;
import io.gcdiag.read.load.GatlingFormat;
import io.gcdiag.read.load.HeyFormat;
import io.gcdiag.read.load.JmeterFormat;
import io.gcdiag.read.load.K6ConsoleFormat;
import io.gcdiag.read.load.K6SamplesFormat;
import io.gcdiag.read.load.K6SummaryFormat;
import io.gcdiag.read.load.WrkFormat;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/** The same as {@link ReadersFuzzTest} of the readers of what load generators write. */
class LoadFuzzTest {

  private static final String DURATION = "10m";

  private static AnyBytes any;

  @BeforeAll
  static void workIn(@TempDir Path folder) {
    any = new AnyBytes(folder);
  }

  static Stream<byte[]> k6Summaries() {
    // One document each: of a cut one nothing is read.
    return Seeds.samples("load", "k6-1.8-handle", "k6-1.8-summary").map(Seeds::unpacked);
  }

  @MethodSource("k6Summaries")
  @FuzzTest(maxDuration = DURATION)
  void k6Summary(byte[] bytes) {
    any.asFormat(new K6SummaryFormat(), bytes);
  }

  static Stream<byte[]> k6Samples() {
    return Seeds.of("load", "k6-1.8-samples");
  }

  @MethodSource("k6Samples")
  @FuzzTest(maxDuration = DURATION)
  void k6Sample(byte[] bytes) {
    any.asFormat(new K6SamplesFormat(), bytes);
  }

  static Stream<byte[]> jmeters() {
    return Seeds.of("load", "jmeter");
  }

  @MethodSource("jmeters")
  @FuzzTest(maxDuration = DURATION)
  void jmeter(byte[] bytes) {
    any.asFormat(new JmeterFormat(), bytes);
  }

  static Stream<byte[]> gatlings() {
    return Seeds.of("load", "gatling");
  }

  @MethodSource("gatlings")
  @FuzzTest(maxDuration = DURATION)
  void gatling(byte[] bytes) {
    any.asFormat(new GatlingFormat(), bytes);
  }

  static Stream<byte[]> abs() {
    return Seeds.of("load", "ab-2.3");
  }

  @MethodSource("abs")
  @FuzzTest(maxDuration = DURATION)
  void ab(byte[] bytes) {
    any.asFormat(new AbFormat(), bytes);
  }

  static Stream<byte[]> wrks() {
    return Seeds.of("load", "wrk");
  }

  @MethodSource("wrks")
  @FuzzTest(maxDuration = DURATION)
  void wrk(byte[] bytes) {
    any.asFormat(new WrkFormat(), bytes);
  }

  static Stream<byte[]> heys() {
    return Seeds.of("load", "hey");
  }

  @MethodSource("heys")
  @FuzzTest(maxDuration = DURATION)
  void hey(byte[] bytes) {
    any.asFormat(new HeyFormat(), bytes);
  }

  static Stream<byte[]> k6Consoles() {
    return Seeds.of("load", "k6-1.8-stdout");
  }

  @MethodSource("k6Consoles")
  @FuzzTest(maxDuration = DURATION)
  void k6Console(byte[] bytes) {
    any.asFormat(new K6ConsoleFormat(), bytes);
  }
}
