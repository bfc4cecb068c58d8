package io.gcdiag.accounts.files;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.measures.waits.Effect;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThreadsInFilesRuleTest {

  private final Rule rule = new ThreadsInFilesRule();

  private static List<ThreadState> threads(int inFiles, int running, boolean request) {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 0; i < inFiles + running; i++) {
      ThreadActivity activity = i < inFiles ? ThreadActivity.IN_FILE : ThreadActivity.RUNNING;
      ThreadPosition standing =
          new ThreadPosition(1, "com.shop.Journal.write", ThreadPosition.UNKNOWN_CPU);
      threads.add(thread("qtp-" + i, "RUNNABLE", activity, "file", request, standing));
    }
    return threads;
  }

  @Test
  void mostOfTheThreadsAtWorkInTwoDumpsAreInFiles() {
    Finding finding =
        only(rule, incident().dump(70, threads(27, 1, true)).dump(90, threads(19, 1, true)));
    assertEquals(
        "27 of 28 threads at work are in file I/O, most at com.shop.Journal.write; at least half of those at work are in 2 of 2 dumps",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.SLOW_DISK, Effect.FILE_WAIT), 1e-9);
  }

  @Test
  void oneDumpMayBeChance() {
    assertSilent(rule, incident().dump(70, threads(27, 1, true)));
  }

  @Test
  void aFewOfManyAtWorkMayAlwaysBeInFiles() {
    assertSilent(rule, incident().dump(70, threads(4, 20, true)).dump(90, threads(5, 20, true)));
  }

  @Test
  void callsThatTheRecordingShowsAreAnotherRules() {
    assertSilent(
        rule,
        incident()
            .waits(1200, 60, 120, WaitKind.FILE, "/data/journal", 1000)
            .dump(70, threads(27, 1, true))
            .dump(90, threads(19, 1, true)));
  }
}
