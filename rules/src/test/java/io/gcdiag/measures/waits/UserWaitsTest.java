package io.gcdiag.measures.waits;

import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.waits.AnsweringGroup;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSite;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class UserWaitsTest {

  private static final WaitSite OTHERS_CALL =
      new WaitSite(WaitKind.DOWNSTREAM, "partner:80", false, "Partner.ask");
  private static final WaitSite OTHERS_LOCK =
      new WaitSite(WaitKind.LOCK, "Ledger", false, "Ledger.add");
  private static final WaitSite OWN_LOCK =
      new WaitSite(WaitKind.LOCK, "Session", true, "Session.get");

  /** A request waited for a lock; other threads for one as well, and for a partner's answers. */
  private static IncidentBuilder builder() {
    return incident()
        .waited(OTHERS_CALL, 60, 1_000)
        .waited(OTHERS_LOCK, 60, 1_000)
        .waited(OWN_LOCK, 60, 10);
  }

  private static List<WaitSite> sites(Timeline timeline, WaitKind kind) {
    return UserWaits.of(timeline, kind).stream().map(series -> series.site()).toList();
  }

  @Test
  void whereRequestThreadsAreSeenWaitingTheirWaitsCountAlone() {
    Timeline timeline = builder().build().timeline();
    assertEquals(List.of(), sites(timeline, WaitKind.DOWNSTREAM));
    assertEquals(List.of(OWN_LOCK), sites(timeline, WaitKind.LOCK));
  }

  @Test
  void callsOfThreadsThatMayAnswerRequestsCountAsWell() {
    Timeline timeline =
        builder().sample(new AnsweringGroup(at(61), "enrich-N", "Tomcat", 5)).build().timeline();
    assertEquals(List.of(OTHERS_CALL), sites(timeline, WaitKind.DOWNSTREAM));
    assertEquals(List.of(OWN_LOCK), sites(timeline, WaitKind.LOCK));
  }
}
