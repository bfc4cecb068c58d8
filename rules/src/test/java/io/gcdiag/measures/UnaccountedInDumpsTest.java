package io.gcdiag.measures;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.Made;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnaccountedInDumpsTest {

  /** Eight of ten request threads wait for a connection, two are elsewhere. */
  private static List<ThreadState> twoElsewhere(int firstStack) {
    List<ThreadState> dump = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      ThreadActivity activity = i < 8 ? ThreadActivity.WAITING_FOR_POOL : ThreadActivity.OTHER;
      ThreadPosition standing = Made.position(firstStack + i, "Orders.find", 900_000);
      dump.add(thread("exec-" + i, "WAITING", activity, i < 8 ? "P" : "", true, standing));
    }
    return dump;
  }

  private static UnaccountedInDumps of(int first, int second) {
    return incident()
        .dump(70, twoElsewhere(first))
        .dump(100, twoElsewhere(second))
        .build()
        .unaccountedInDumps()
        .orElseThrow();
  }

  @Test
  void twoDumpsOfOtherMomentsAreTwoSamples() {
    UnaccountedInDumps rest = of(100, 200);
    assertEquals(2, rest.threads(), 0.001);
    // Wilson's interval for a fifth of two samples ends at 77.7 %.
    assertEquals(7.77, rest.atMost(), 0.01);
  }

  @Test
  void twoDumpsInWhichTheseStandStillAreOne() {
    // And for a fifth of one at 86.7 %.
    assertEquals(8.67, of(100, 100).atMost(), 0.01);
  }
}
