package io.gcdiag;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.causes.Hypothesis;
import io.gcdiag.diagnosis.Diagnoser;
import io.gcdiag.diagnosis.Diagnosis;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSite;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Far more sites than any service has: no rule and no chart goes through all of them at each
 * moment.
 */
@Tag("slow")
@Timeout(120)
class ManySitesTest {

  private static final int SITES = 100_000;

  @Test
  void aHundredThousandSitesOfOneLockAreJudgedTogether() {
    IncidentBuilder builder = incident().recorded(Signal.MONITOR_WAITS).cpu(30, 0.1, 0.2);
    for (int i = 0; i < SITES; i++) {
      // Each waits once for 20 ms in the second minute: 2,000 s in 60 s, 33 threads.
      WaitSite site = new WaitSite(WaitKind.LOCK, "shop.Stock", true, "shop.Shop.order" + i);
      builder.waited(site, 60 + i * 60.0 / SITES, 20);
    }
    Diagnosis diagnosis =
        Diagnoser.diagnose(builder.build().timeline(), Optional.empty(), Optional.empty());
    assertEquals(Optional.of(Hypothesis.LOCK_CONTENTION), diagnosis.primarySuspect());
  }
}
