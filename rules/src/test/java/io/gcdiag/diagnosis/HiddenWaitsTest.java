package io.gcdiag.diagnosis;

import static io.gcdiag.rules.IncidentBuilder.RECORDING;
import static io.gcdiag.rules.IncidentBuilder.at;
import static io.gcdiag.rules.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.Source;
import io.gcdiag.evidence.ThreadActivity;
import io.gcdiag.evidence.ThreadState;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.VirtualThreadUse;
import io.gcdiag.rules.IncidentBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HiddenWaitsTest {

  private static IncidentBuilder quiet(double virtualShare) {
    Source source = new Source(RECORDING, "jdk.SocketRead");
    return incident()
        .recorded(Signal.GC_PAUSES)
        .recorded(Signal.THREAD_PARKS)
        .sample(new VirtualThreadUse(at(1), virtualShare, source));
  }

  private static Conclusion conclusion(IncidentBuilder builder) {
    Timeline timeline = builder.build().timeline();
    return Diagnoser.diagnose(timeline, Optional.empty(), Optional.empty()).conclusion();
  }

  @Test
  void whatNothingCanSeeIsNotCalledHealthy() {
    assertEquals(Conclusion.UNDECIDED, conclusion(quiet(0.9)));
  }

  @Test
  void someVirtualThreadsInTheBackgroundHideNothing() {
    assertEquals(Conclusion.HEALTHY, conclusion(quiet(0.01)));
  }

  /** Request threads that are all in calls, in three dumps. */
  private static IncidentBuilder allInCalls() {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      threads.add(
          new ThreadState("exec-" + i, "RUNNABLE", ThreadActivity.IN_DOWNSTREAM_CALL, "", true));
    }
    return quiet(0.01)
        .recorded(Signal.THREAD_DUMPS)
        .dump(70, threads)
        .dump(85, threads)
        .dump(100, threads);
  }

  @Test
  void aQueueBeforeThreadsThatAreAllBusyIsSeenByALoadTestOnly() {
    assertEquals(Conclusion.UNDECIDED, conclusion(allInCalls()));
    assertEquals(Conclusion.HEALTHY, conclusion(allInCalls().loadTest(100, 10)));
  }

  @Test
  void aLoadTestSeesWhatUsersWaitFor() {
    assertEquals(Conclusion.HEALTHY, conclusion(quiet(0.9).loadTest(100, 10)));
  }
}
