package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.frames.FrameBook;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import jdk.jfr.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings are held against what is read, and tried on the JVM that runs the test. */
@Tag("slow")
class RecordingSettingsTest {

  /** What other files or the operator have to tell. */
  private static final Set<Signal> NOT_OF_A_RECORDING =
      EnumSet.of(Signal.CLASS_HISTOGRAMS, Signal.REQUEST_STATS, Signal.POOL_SIZE, Signal.HOLD_TIME);

  /** Only in a container with a quota, and only since JDK 21 (JDK-8303229). */
  private static final Set<Signal> NOT_ON_EVERY_MACHINE =
      EnumSet.of(Signal.CPU_THROTTLING, Signal.MACHINE_MEMORY, Signal.PINNED_THREADS);

  private static final String SETTINGS = "rules/src/main/resources/io/gcdiag/read/jfr/gcdiag.jfc";

  @TempDir private Path folder;

  private static Configuration configuration() throws IOException, ParseException {
    return Configuration.create(new StringReader(RecordingSettings.text(false)));
  }

  @Test
  void theyNameEveryEventThatIsReadAndNoOther() throws Exception {
    Set<String> named =
        configuration().getSettings().keySet().stream()
            .map(setting -> setting.substring(0, setting.indexOf('#')))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> read =
        new RecordingEvents("a.jfr", Redactor.hiding(), FrameBook.standard())
            .types().stream()
                .filter(type -> type.startsWith("jdk."))
                .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(List.of(), minus(read, named), "left out of what is printed");
    assertEquals(
        List.of(),
        minus(named, read),
        "no reader asks for these: delete from " + SETTINGS + ", or read them in an EventGroup");
  }

  @Test
  void ofRequestsTheMethodsOfServersAreTimed() throws Exception {
    Map<String, String> settings =
        Configuration.create(new StringReader(RecordingSettings.text(true))).getSettings();
    List<String> methods = List.of(settings.get("jdk.MethodTrace#filter").split(";"));
    assertTrue(methods.contains("org.apache.catalina.connector.CoyoteAdapter::service"));
    assertTrue(methods.contains("sun.net.httpserver.ServerImpl$Exchange::run"));
    assertEquals("0 ms", settings.get("jdk.MethodTrace#threshold"));
    assertFalse(configuration().getSettings().containsKey("jdk.MethodTrace#filter"));
    // lib/jfr/profile.jfc of JDK 25
    assertEquals("10ms", settings.get("jdk.CPUTimeSample#throttle"));
    assertEquals("true", settings.get("jdk.CPUTimeSample#enabled"));
    assertFalse(configuration().getSettings().containsKey("jdk.CPUTimeSample#enabled"));
  }

  private static List<String> minus(Set<String> all, Set<String> some) {
    return all.stream().filter(one -> !some.contains(one)).toList();
  }

  @Test
  void aRecordingWithThemHasWhatTheRulesAskFor() throws Exception {
    Configuration configuration = configuration();
    Path file =
        Recordings.record(
            folder.resolve("a.jfr"),
            recording -> recording.setSettings(configuration.getSettings()),
            () -> LockSupport.parkNanos(Duration.ofMillis(1_500).toNanos()));
    Timeline timeline = Recordings.read(file);
    Set<Signal> missing =
        EnumSet.allOf(Signal.class).stream()
            .filter(signal -> !timeline.coverage().of(signal).recorded())
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Signal.class)));
    missing.removeAll(NOT_OF_A_RECORDING);
    missing.removeAll(NOT_ON_EVERY_MACHINE);
    assertEquals(Set.of(), missing);
  }
}
