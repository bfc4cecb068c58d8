package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu.Kind;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.jfr.CpuEvents.ThreadGroups;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ThreadGroupsTest {

  private static final Instant AT = Instant.parse("2026-11-21T12:00:10.100Z");

  private final ThreadGroups groups = new ThreadGroups(FrameBook.standard(), Redactor.off());

  @Test
  void threadsWhoseNamesDifferInNumbersAreSummedUp() {
    groups.add(AT, "http-nio-127.0.0.1-8080-exec-1", 0.25);
    groups.add(AT.plusMillis(1), "http-nio-127.0.0.1-8080-exec-22", 0.125);
    groups.add(AT, "C2 CompilerThread0", 0.5);
    assertEquals(
        List.of(
            new ThreadGroupCpu(
                Instant.parse("2026-11-21T12:00:10Z"),
                Duration.ofSeconds(5),
                "C* CompilerThread*",
                Kind.COMPILER,
                1,
                0.5),
            new ThreadGroupCpu(
                Instant.parse("2026-11-21T12:00:10Z"),
                Duration.ofSeconds(5),
                "http-nio-*-*-exec-*",
                Kind.REQUEST,
                2,
                0.375)),
        groups.samples(Optional.of(Duration.ofSeconds(5))));
  }

  @Test
  void anExecutorsThreadsServeRequestsIfOneOfThemWasMetAtThat() {
    groups.add(AT, "pool-1-thread-1", 0.25);
    groups.add(AT, "pool-2-timer", 0.125);
    groups.serves("pool-1-thread-7");
    assertEquals(
        List.of(Kind.REQUEST, Kind.OTHER),
        groups.samples(Optional.empty()).stream().map(ThreadGroupCpu::kind).toList());
  }

  @Test
  void aThreadThatEndsBelongsToThePeriodInWhichItEnds() {
    // Ten threads every ten seconds, a reading of them across two seconds, and one that ends after
    // four: half a core over four seconds is a fifth of one over ten.
    for (int period = 0; period < 2; period++) {
      for (int i = 0; i < 10; i++) {
        groups.add(AT.plusSeconds(10L * period).plusMillis(180L * i), "http-nio-8080-exec-" + i, 0);
      }
    }
    groups.add(AT.plusSeconds(4), "mail-7", 0.5);
    List<ThreadGroupCpu> samples = groups.samples(Optional.of(Duration.ofSeconds(10)));
    assertEquals(3, samples.size(), samples::toString);
    ThreadGroupCpu mail =
        samples.stream().filter(one -> one.group().equals("mail-*")).findFirst().orElseThrow();
    assertEquals(Instant.parse("2026-11-21T12:00:20Z"), mail.at());
    assertEquals(0.2, mail.share(), 1e-9);
  }

  @Test
  void aThreadThatEndsWhereAPeriodWasDueDoesNotEndIt() {
    // On full cores the third reading of ten threads comes after thirteen seconds, and nine after
    // the second a thread ends: ten of 3 % are 30 %.
    for (int second : new int[] {0, 11, 24}) {
      for (int i = 0; i < 10; i++) {
        groups.add(AT.plusSeconds(second), "http-nio-8080-exec-" + i, 0.03);
      }
    }
    groups.add(AT.plusSeconds(20), "mail-7", 0.0004);
    List<ThreadGroupCpu> last =
        groups.samples(Optional.of(Duration.ofSeconds(10))).stream()
            .filter(sample -> sample.at().equals(Instant.parse("2026-11-21T12:00:34Z")))
            .toList();
    assertEquals(
        List.of("http-nio-*-exec-*", "mail-*"), last.stream().map(ThreadGroupCpu::group).toList());
    assertEquals(0.3, last.get(0).share(), 1e-9);
  }

  @Test
  void threadsNamedAfterTheirWorkDoNotFillTheMemory() {
    for (int i = 0; i < 10_000; i++) {
      groups.add(AT, "order " + "abcdefghij".repeat(i % 7) + (char) ('a' + i % 26) + word(i), 1e-5);
    }
    List<ThreadGroupCpu> samples = groups.samples(Optional.empty());
    assertTrue(samples.size() <= 201, () -> samples.size() + " groups");
    assertEquals(0.1, samples.stream().mapToDouble(ThreadGroupCpu::share).sum(), 1e-9);
  }

  /** A word without digits for each number. */
  private static String word(int number) {
    return Integer.toString(number, 26).replaceAll("\\d", "zz");
  }
}
