package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.JvmSample.ExceptionCount;
import io.gcdiag.evidence.jvm.JvmSample.ThrownErrors;
import io.gcdiag.evidence.jvm.JvmSample.ThrownExceptions;
import io.gcdiag.evidence.time.Signal;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recording of this JVM, in which it creates exceptions. */
class ExceptionEventsTest {

  private static final int CREATED = 300;

  @TempDir static Path folder;
  private static Timeline timeline;
  private static boolean dated;

  @BeforeAll
  static void record() {
    Path file =
        Recordings.record(
            folder.resolve("exceptions.jfr"),
            recording -> {
              recording.enable("jdk.ActiveSetting");
              recording.enable("jdk.JavaExceptionThrow").withStackTrace().with("throttle", "off");
              recording.enable("jdk.JavaErrorThrow").withStackTrace();
              recording.enable("jdk.ExceptionStatistics").with("period", "everyChunk");
            },
            () -> {
              Recordings.rotate();
              for (int i = 0; i < CREATED; i++) {
                created();
                own();
              }
              error(new AssertionError("expected"));
              error(new OutOfMemoryError("made up"));
              linked();
              Recordings.rotate();
            });
    timeline = Recordings.read(file);
    dated =
        Recordings.events(file, "jdk.JavaExceptionThrow").stream()
            .allMatch(event -> timeline.span().contains(event.getEndTime()));
  }

  private static void error(Error error) {
    assertTrue(error.getStackTrace().length > 0);
  }

  /** A look-up of what is not there makes the JDK create an error of its own. */
  private static void linked() {
    assertThrows(
        NoSuchMethodException.class,
        () ->
            MethodHandles.lookup()
                .findStatic(
                    ExceptionEventsTest.class, "missing", MethodType.methodType(void.class)));
  }

  /** The JDK itself leaves out OutOfMemoryErrors. */
  @Test
  void errorsAreReadWithTheirClass() {
    assertEquals(
        List.of("java.lang.AssertionError 1"),
        timeline.samples(ThrownErrors.class).stream()
            .map(error -> error.type() + " " + error.count())
            .toList());
  }

  private static Exception created() {
    return new IllegalStateException();
  }

  private static final class Own extends IllegalStateException {
    private static final long serialVersionUID = 1;
  }

  private static Exception own() {
    return new Own();
  }

  @Test
  void anOwnExceptionsConstructorIsNotThePlace() {
    assumeTrue(dated, "this JDK dates exceptions to its own start, as 25.0.3 does");
    List<ThrownExceptions> own =
        timeline.samples(ThrownExceptions.class).stream()
            .filter(kind -> kind.type().endsWith("Own"))
            .toList();
    assertEquals(CREATED, own.stream().mapToLong(ThrownExceptions::count).sum());
    assertTrue(own.stream().allMatch(kind -> kind.site().equals(getClass().getName() + ".own")));
  }

  @Test
  void theCounterGrowsByThoseThatWereCreated() {
    List<ExceptionCount> counts = timeline.samples(ExceptionCount.class);
    long grown = counts.get(counts.size() - 1).total() - counts.get(0).total();
    assertTrue(grown >= 2 * CREATED, () -> "grew by " + grown);
    assertTrue(timeline.coverage().of(Signal.EXCEPTION_COUNTS).recorded());
  }

  @Test
  void exceptionsAreCountedByClassAndPlace() {
    assumeTrue(dated, "this JDK dates exceptions to its own start, as 25.0.3 does");
    List<ThrownExceptions> thrown =
        timeline.samples(ThrownExceptions.class).stream()
            .filter(kind -> kind.type().equals("java.lang.IllegalStateException"))
            .filter(kind -> kind.site().equals(getClass().getName() + ".created"))
            .toList();
    assertEquals(CREATED, thrown.stream().mapToLong(ThrownExceptions::count).sum());
  }
}
