package io.gcdiag.measures.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.measures.threads.OccupiedWorkers.Use;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class WorkersInUseTest {

  /** Threads come and go: on average there were 16.2, and never fewer than those at work. */
  @Test
  void threadsAreWhole() {
    assertEquals(OptionalDouble.of(16), new Use("http-N", true, 16.2, 4, 0).threads());
    assertEquals(OptionalDouble.of(17), new Use("http-N", true, 16.4, 16.3, 0).threads());
    assertEquals(OptionalDouble.of(20), new Use("http-N", true, 20, 20, 0).threads());
  }

  /** Threads that were never seen idle do not show how many there are. */
  @Test
  void threadsThatWereSeenAtWorkAloneAreNoNumberOfAll() {
    assertEquals(OptionalDouble.empty(), new Use("dw-N", true, 5.28, 5.28, 0).threads());
  }
}
