package io.gcdiag.read.gclog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.bytes.LineFeed;
import io.gcdiag.read.bytes.LineSource;
import io.gcdiag.read.gclog.GcLogFormat.GcLogReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A log says the same whether its lines are cut by the thread that reads them or by another. */
class ReadAheadTest {

  @TestFactory
  List<DynamicTest> everySampleIsReadTheSame() throws IOException {
    try (Stream<Path> files = Files.list(SampleFiles.file("gc-logs/g1-jdk17.log.gz").getParent())) {
      List<Path> logs = files.filter(Files::isRegularFile).sorted().toList();
      assertFalse(logs.isEmpty());
      return logs.stream()
          .map(
              log ->
                  dynamicTest(
                      log.getFileName().toString(),
                      () -> assertEquals(read(log, Long.MAX_VALUE), read(log, 10))))
          .toList();
    }
  }

  /** All that is known of a log; its safepoints as objects. */
  private static List<Object> read(Path log, long readHere) throws IOException {
    try (InputStream in = Files.newInputStream(log);
        LineFeed lines = new LineFeed(new LineSource(in), readHere)) {
      GcLog all = GcLogReader.read(lines);
      return List.of(
          all.origin(),
          all.extent(),
          LogRow.of(all),
          IntStream.range(0, all.stalls.size())
              .mapToObj(i -> all.stalls.placed(i, "gc.log") + " at " + all.stalls.uptime(i))
              .toList(),
          all.cycles,
          all.waits,
          all.capacity(),
          all.humongous(),
          all.young(),
          all.phases.phases,
          all.notes());
    }
  }
}
