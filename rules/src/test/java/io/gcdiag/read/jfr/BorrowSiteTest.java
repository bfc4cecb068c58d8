package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.jfr.PoolHolds.BorrowSite;
import java.util.List;
import org.junit.jupiter.api.Test;

class BorrowSiteTest {

  private static StackKind stack(String innermostFirst) {
    return new StackKind(
        WaitKind.OTHER, "", true, "", "", false, List.of(innermostFirst.split(" ")));
  }

  private static BorrowSite site(String innermostFirst, int outside) {
    List<String> frames = List.of(innermostFirst.split(" "));
    return new BorrowSite(frames, outside, frames.size());
  }

  @Test
  void theInnermostMethodSharedWithACallUsesTheConnection() {
    BorrowSite site = site("park pool open begin transaction service run", 2);
    site.learn(stack("read driver find transaction service run"));
    assertTrue(site.isInside(stack("sleep retry transaction service run")));
    assertFalse(site.isInside(stack("sleep retry service run")));
  }

  @Test
  void aConnectionThatThePoolTestsIsNotYetBorrowed() {
    BorrowSite site = site("park pool open transaction service run", 2);
    site.learn(stack("read driver isValid pool open transaction service run"));
    assertFalse(site.isKnown());
  }

  @Test
  void stacksThatWereCutAtTheirOuterEndAreLaidSideBySide() {
    // Of six frames kept, the deeper stack has lost run and service.
    BorrowSite site = site("park pool open shop filter chain service run", 2);
    site.learn(stack("read driver execute shop filter chain"));
    assertTrue(site.isInside(stack("sleep retry shop filter chain")));
    assertFalse(site.isInside(stack("sleep retry other filter chain service run")));
  }

  @Test
  void twoFramesThatMeetByChanceAreNoCommonCaller() {
    BorrowSite site = site("park pool open shop invoke run", 2);
    site.learn(stack("read driver invoke run call"));
    assertFalse(site.isKnown());
  }
}
