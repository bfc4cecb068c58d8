package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CodeSite;
import io.gcdiag.evidence.jvm.CpuProfile;
import io.gcdiag.evidence.jvm.StackProfile;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.bytes.JfrReader;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.tools.ToolProvider;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two threads compute while they are sampled; what the file holds is counted by a plain loop. */
@Tag("slow")
@Tag("reading")
class SampleEventsTest {

  private static final Window ALWAYS =
      new Window(Instant.parse("2000-01-01T00:00:00Z"), Instant.parse("2200-01-01T00:00:00Z"));

  @TempDir static Path folder;
  private static Path file;
  private static Timeline timeline;
  private static volatile double sink;

  @BeforeAll
  static void recordAndRead() {
    file = Recordings.record(folder.resolve("r.jfr"), SampleEventsTest::settings, () -> run());
    timeline = Recordings.read(file);
  }

  private static void settings(Recording recording) {
    recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
    recording.enable("jdk.ThreadCPULoad").withPeriod(Duration.ofMillis(500));
    recording.enable("jdk.PhysicalMemory").with("period", "beginChunk");
    recording.enable("jdk.ContainerConfiguration").with("period", "beginChunk");
    recording.enable("jdk.ActiveSetting");
  }

  private static void run() {
    Thread server = new Thread(() -> compute(), "http-nio-8080-exec-7");
    Thread batch = new Thread(() -> compute(), "batch-12");
    server.start();
    batch.start();
    try {
      server.join();
      batch.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void compute() {
    Instant end = Instant.now().plus(Duration.ofSeconds(2));
    while (Instant.now().isBefore(end)) {
      spin();
    }
  }

  private static void spin() {
    double sum = 0;
    for (int i = 1; i < 200_000; i++) {
      sum += Math.sqrt(i) / i;
    }
    sink = sum;
  }

  private static List<RecordedEvent> samples() {
    return Recordings.events(file, "jdk.ExecutionSample").stream()
        .filter(event -> event.getStackTrace() != null)
        .toList();
  }

  @Test
  void everySampleIsCountedOnce() {
    assertFalse(samples().isEmpty());
    assertEquals(samples().size(), timeline.profiles().cpu().within(ALWAYS).java());
  }

  @Test
  void theThreadsNameTellsWhetherItServesRequests() {
    long serving =
        samples().stream()
            .filter(event -> event.getThread("sampledThread").getJavaName().startsWith("http-nio"))
            .count();
    assertTrue(serving > 0);
    assertEquals(serving, timeline.profiles().cpu().within(ALWAYS).onRequestThreads());
  }

  @Test
  void theHotMethodLeadsBothTables() {
    CpuProfile profile = timeline.profiles().cpu();
    String spin = SampleEventsTest.class.getName() + ".spin";
    long inSpin =
        samples().stream()
            .filter(
                event ->
                    event.getStackTrace().getFrames().stream()
                        .anyMatch(frame -> frame.getMethod().getName().equals("spin")))
            .count();
    CodeSite first = profile.sites(ALWAYS).keySet().iterator().next();
    assertEquals(spin, first.caller());
    assertEquals(inSpin, profile.methods(ALWAYS).get(spin));
  }

  @Test
  void wholeStacksAreKeptWithCallersAboveWhatTheyCall() {
    StackProfile stacks = timeline.samples(StackProfile.class).get(0);
    assertEquals(StackProfile.Kind.CPU, stacks.kind());
    assertEquals(
        samples().size(), stacks.within(ALWAYS).values().stream().mapToLong(Long::longValue).sum());
    int spin =
        stacks.nodes().stream()
            .map(StackProfile.Node::frame)
            .toList()
            .indexOf(SampleEventsTest.class.getName() + ".spin");
    StackProfile.Node caller = stacks.nodes().get(stacks.nodes().get(spin).parent());
    assertEquals(SampleEventsTest.class.getName() + ".compute", caller.frame());
  }

  @Test
  void theSettingsTellTheSamplingPeriod() {
    assertEquals(SignalState.Kind.SEEN, timeline.coverage().of(Signal.CPU_SAMPLES).kind());
  }

  /**
   * 600 loops of more than 20 bytes each are more than 8,000 bytes of bytecode. JDK 17 samples the
   * index of the last call in an interpreted method, JDK 25 that of the last jump or call.
   */
  @Test
  void aMethodSampledBeyondWhatHotSpotCompilesIsTooLarge() throws Exception {
    String loops =
        "sum = mix(sum); for (int j = 0; j < 50; j++) { sum = sum * 31 + j; }\n".repeat(600);
    Path source = folder.resolve("Large.java");
    Files.writeString(
        source,
        "public class Large implements Runnable { static volatile int sink; public void run() {"
            + " long end = System.nanoTime() + 2_000_000_000L; int sum = 0;"
            + " for (int i = 0; System.nanoTime() < end; i++) {\n"
            + loops
            + "} sink = sum; } static int mix(int sum) { return sum ^ sum >>> 7; } }");
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, source.toString()));
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      Runnable large = (Runnable) loader.loadClass("Large").getDeclaredConstructor().newInstance();
      Path recorded =
          Recordings.record(folder.resolve("large.jfr"), SampleEventsTest::settings, large);
      for (JfrReader reader : JfrReader.values()) {
        CpuProfile profile = Recordings.read(recorded, reader).profiles().cpu();
        assertEquals(Set.of("Large.run"), profile.tooLarge());
        assertTrue(profile.inside("Large.run", ALWAYS) > 0);
        assertEquals(profile.inside("Large.run", ALWAYS), profile.interpreted("Large.run", ALWAYS));
      }
    }
    assertEquals(Set.of(), timeline.profiles().cpu().tooLarge());
  }

  @Test
  void whatWasNotSampledIsNotRecorded() {
    Timeline parks = Recordings.read(Recordings.ofParks(folder.resolve("parks.jfr"), 1));
    assertTrue(parks.profiles().cpu().isEmpty());
    assertEquals(Map.of(), parks.profiles().cpu().sites(ALWAYS));
    assertFalse(parks.coverage().of(Signal.CPU_SAMPLES).recorded());
  }
}
