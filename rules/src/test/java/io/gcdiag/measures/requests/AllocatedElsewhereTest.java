package io.gcdiag.measures.requests;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.OwnCodeSketch.steady;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.jvm.OwnCode;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AllocatedElsewhereTest {

  /** Calls at one place, and so many bytes a second that are allocated in a method. */
  private static Incident allocating(long before, long during, String method) {
    return incident()
        .sample(steady(Activity.CALLING, 1_000, 1_000, "shop.Prices.of"))
        .sample(steady(Activity.ALLOCATING, before, during, method))
        .build();
  }

  private static AllocatedElsewhere of(Incident incident) {
    return AllocatedElsewhere.of(incident, Activity.CALLING).orElseThrow();
  }

  @Test
  void asMuchAsBeforeIsAsManyRequests() {
    Incident incident = allocating(400_000, 400_000, "shop.Page.render");
    assertEquals(400_000, of(incident).before(), 1);
    assertEquals(1, RequestRate.busierAtMost(incident, Activity.CALLING, 7), 1e-9);
    assertFalse(of(incident).grewAsMuch(7));
  }

  @Test
  void asMuchMoreAsCallsIsAsManyMoreRequests() {
    Incident incident = allocating(400_000, 1_100_000, "shop.Page.render");
    assertTrue(of(incident).grewAsMuch(2.75));
    assertEquals(
        Double.POSITIVE_INFINITY, RequestRate.busierAtMost(incident, Activity.CALLING, 2.75));
  }

  @Test
  void aLittleLessThanCallsMayBeCodeThatIsCompiledByNow() {
    // 1.4 times the calls of 1 time the bytes: below half as many more.
    Incident incident = allocating(400_000, 400_000, "shop.Page.render");
    assertEquals(
        Double.POSITIVE_INFINITY, RequestRate.busierAtMost(incident, Activity.CALLING, 1.4));
  }

  @Test
  void whatTheCallsThemselvesAllocateSaysNothing() {
    Incident incident = allocating(400_000, 400_000, "shop.Prices.of");
    assertEquals(Optional.empty(), AllocatedElsewhere.of(incident, Activity.CALLING));
  }

  @Test
  void requestsThatAllocatedAlmostNothingBeforeBegan() {
    OwnCode others =
        steady(Activity.ALLOCATING, 900_000, 900_000, "shop.Timer.tick", "shop.Timer.run");
    // A probe now and then is no load: 3 % of what they allocate now.
    assertTrue(began(steady(Activity.ALLOCATING, 12_000, 400_000, "shop.Prices.of"), others));
    assertFalse(began(steady(Activity.ALLOCATING, 100_000, 400_000, "shop.Prices.of"), others));
    // Where nothing is seen to allocate in the baseline, allocations were not recorded there.
    assertFalse(began(steady(Activity.ALLOCATING, 0, 400_000, "shop.Prices.of")));
  }

  private static boolean began(OwnCode... allocating) {
    IncidentBuilder builder =
        incident().sample(steady(Activity.CALLING, 0, 1_000, "shop.Prices.of"));
    for (OwnCode code : allocating) {
      builder.sample(code);
    }
    return AllocatedElsewhere.began(builder.build(), Activity.CALLING);
  }

  @Test
  void requestsThatAreCountedAreNotGuessed() {
    Incident counted =
        incident()
            .requests(60, 180)
            .sample(steady(Activity.CALLING, 1_000, 1_000, "shop.Prices.of"))
            .sample(steady(Activity.ALLOCATING, 400_000, 400_000, "shop.Page.render"))
            .build();
    assertEquals(3, RequestRate.busierAtMost(counted, Activity.CALLING, 7), 1e-9);
  }
}
