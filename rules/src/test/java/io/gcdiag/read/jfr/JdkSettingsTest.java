package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import jdk.jfr.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What pages and advice say of the JDK's own settings, held against the JDK that runs the test. */
@Tag("slow")
class JdkSettingsTest {

  private static final int JDK = Runtime.version().feature();

  private static final int SHORT_TIMEOUT_MILLIS = 60;

  @TempDir private Path folder;

  private static Map<String, String> settings(String name) throws Exception {
    return Configuration.getConfiguration(name).getSettings();
  }

  /** From the JDK on that is given; empty values are those of events that it does not have yet. */
  @ParameterizedTest
  @CsvSource({
    "jdk.ThreadPark#threshold,         17, 20 ms, 10 ms",
    "jdk.JavaMonitorEnter#threshold,   17, 20 ms, 10 ms",
    "jdk.JavaMonitorWait#threshold,    17, 20 ms, 10 ms",
    "jdk.ThreadSleep#threshold,        17, 20 ms, 10 ms",
    "jdk.FileForce#threshold,          17, 20 ms, 10 ms",
    "jdk.SocketRead#threshold,         25, 1 ms,  1 ms",
    "jdk.SocketRead#throttle,          25, 100/s, 300/s",
    "jdk.FileRead#threshold,           25, 1 ms,  1 ms",
    "jdk.FileWrite#threshold,          25, 1 ms,  1 ms",
    "jdk.JavaExceptionThrow#enabled,   25, true,  true",
    "jdk.JavaExceptionThrow#throttle,  25, 100/s, 300/s",
    "jdk.SafepointBegin#threshold,     17, 10 ms, 0 ms",
    "jdk.ExecuteVMOperation#threshold, 17, 10 ms, 0 ms",
    "jdk.VirtualThreadPinned#threshold, 21, 20 ms, 20 ms",
    "jdk.ExecutionSample#period,       17, 20 ms, 10 ms",
    "jdk.NativeMethodSample#enabled,   17, true,  true",
    "jdk.ContainerCPUThrottling#period, 17, 30 s, 30 s",
    "jdk.DirectBufferStatistics#period, 17, 5 s,  5 s",
    "jdk.OldObjectSample#stackTrace,   17, false, true",
    "jdk.ObjectAllocationOutsideTLAB#enabled, 17, false, false",
    "jdk.ObjectAllocationSample#enabled, 17, true, true",
    "jdk.ThreadCPULoad#period,         17, 10 s,  10 s",
    "jdk.FinalizerStatistics#enabled,  18, true,  true",
    "jdk.ResidentSetSize#enabled,      21, true,  true",
    "jdk.SwapSpace#enabled,            23, true,  true",
    "jdk.SafepointLatency#enabled,     25, false, false",
  })
  void theSettingsAreTheOnesThatAreStated(
      String setting, int since, String ofDefault, String ofProfile) throws Exception {
    if (JDK >= since) {
      assertEquals(ofDefault, settings("default").get(setting), "default");
      assertEquals(ofProfile, settings("profile").get(setting), "profile");
    }
  }

  /** Before JDK 25 reads and writes have the thresholds of waits, and single exceptions are off. */
  @Test
  void readsAndExceptionsOfEarlierJdks() throws Exception {
    if (JDK < 25) {
      for (String event : List.of("jdk.SocketRead", "jdk.FileRead", "jdk.FileWrite")) {
        assertEquals("20 ms", settings("default").get(event + "#threshold"), event);
        assertEquals("10 ms", settings("profile").get(event + "#threshold"), event);
      }
      assertEquals("false", settings("profile").get("jdk.JavaExceptionThrow#enabled"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdk.CPULoad",
        "jdk.ExceptionStatistics",
        "jdk.JavaThreadStatistics",
        "jdk.ThreadStart",
        "jdk.CodeCacheFull",
        "jdk.CodeCacheStatistics",
        "jdk.CompilerStatistics",
        "jdk.Deoptimization",
        "jdk.ExecutionSample",
        "jdk.SystemGC",
        "jdk.ZAllocationStall",
        "jdk.MetaspaceSummary",
        "jdk.ClassLoadingStatistics",
        "jdk.JavaErrorThrow"
      })
  void theseAreOnByDefault(String event) throws Exception {
    assertEquals("true", settings("default").get(event + "#enabled"));
    assertEquals("true", settings("profile").get(event + "#enabled"));
  }

  @Test
  void theEventOfTheGcLockerIsGoneFromJdk25On() throws Exception {
    assertEquals(JDK < 25, settings("default").containsKey("jdk.GCLocker#enabled"));
  }

  /** A read that ends by its timeout throws, and from JDK 22 on only reads that return count. */
  @Test
  void aReadThatTimesOutHasNoEventFromJdk22On() {
    Path file =
        Recordings.record(
            folder.resolve("a.jfr"),
            recording -> recording.enable("jdk.SocketRead").withoutThreshold(),
            JdkSettingsTest::readInVain);
    long timedOut =
        Recordings.events(file, "jdk.SocketRead").stream()
            .filter(event -> event.getDuration().toMillis() >= SHORT_TIMEOUT_MILLIS / 2)
            .count();
    assertEquals(JDK < 22 ? 1 : 0, timedOut);
  }

  private static void readInVain() {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
      client.setSoTimeout(SHORT_TIMEOUT_MILLIS);
      int read = client.getInputStream().read();
      assertTrue(read < 0, "nothing was written");
    } catch (SocketTimeoutException e) {
      // That is what is recorded, or not.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
