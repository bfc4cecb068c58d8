package io.gcdiag.causes.workers;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.books.Finding;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThreadsAtWorkTest {

  @Test
  void ofThreadsThatAreNotAtWorkEveryDumpSaysSo() {
    // A sleeper that is not known to serve requests is not at work: none of the dumps shows one.
    List<ThreadSnapshot> dumps =
        incident()
            .dump(
                70,
                List.of(
                    thread("pool-1-thread-1", "WAITING", ThreadActivity.SLEEPING, "retry", false)))
            .build()
            .timeline()
            .dumps();
    Finding finding =
        ThreadsAtWork.finding("sleep-time", dumps, ThreadActivity.SLEEPING, "sleep", "").build();
    assertEquals(List.of(dumps.get(0).source()), finding.sources());
  }
}
