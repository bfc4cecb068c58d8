package io.gcdiag.ledger;

import io.gcdiag.evidence.CpuLoad;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.Window;
import java.util.OptionalDouble;

/** CPU time of the JVM per request. */
public final class CpuPerRequest {

  /** Costs that differ by less may owe it to another mix of requests. */
  private static final double CLEARLY_MORE = 1.5;

  private CpuPerRequest() {}

  /** In seconds, the collector's included; empty if CPU load, cores or rate are not known. */
  private static OptionalDouble seconds(Timeline timeline, Window window) {
    OptionalDouble share = timeline.cpu(window).stream().mapToDouble(CpuLoad::jvm).average();
    double rate = RequestRate.of(timeline, window).map(known -> known.perSecond()).orElse(0.0);
    int cores = timeline.jvm().cpus().orElse(0);
    return share.isEmpty() || rate <= 0 || cores == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(share.getAsDouble() * cores / rate);
  }

  /** Whether a request costs clearly more than in the calm, as far as both are known. */
  public static boolean grew(Incident incident) {
    OptionalDouble during = seconds(incident.timeline(), incident.windows().incident());
    return incident.windows().baseline().isPresent()
        && during.isPresent()
        && during.getAsDouble()
            >= CLEARLY_MORE
                * seconds(incident.timeline(), incident.windows().baseline().get())
                    .orElse(Double.POSITIVE_INFINITY);
  }
}
