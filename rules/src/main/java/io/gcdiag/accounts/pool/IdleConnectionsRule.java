package io.gcdiag.accounts.pool;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Judges;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Optional;

/**
 * Asks the samples of a recording whether the connections that borrowers wait for are at work, or
 * held idle.
 */
@Judges(value = Hypothesis.CONNECTION_LEAK, needs = Signal.THREAD_PARKS)
public final class IdleConnectionsRule implements Rule {

  @Override
  public List<Finding> examine(Case incident) {
    Optional<UnusedConnections> unused = UnusedConnections.of(incident);
    if (unused.isPresent()) {
      return List.of(unused(incident, unused.get()));
    }
    Optional<SampledPool> sampled = SampledPool.of(incident);
    if (sampled.isEmpty()) {
      return List.of();
    }
    SampledPool pool = sampled.get();
    if (!pool.idle() && (!pool.atWork() || HoldersTime.mostlyElsewhere(incident))) {
      return List.of();
    }
    FindingBuilder finding =
        Finding.of(
                id(),
                "while threads waited for a connection ("
                    + Numbers.count(pool.seconds())
                    + " seconds), "
                    + (Numbers.threeDigits(pool.whileWaiting()).equals("0")
                        ? "no request thread was"
                        : Numbers.threeDigits(pool.whileWaiting()) + " request threads were")
                    + " in a call (by samples)"
                    + (pool.usual().isPresent()
                        ? ", against "
                            + Numbers.threeDigits(pool.usual().getAsDouble())
                            + " before: "
                        : HoldersTime.mostlyAtWork(incident)
                            ? ", and holders spend most of the hold time in such calls: "
                            : ", dumps show as many, and no other thread can hold one: ")
                    + (pool.idle()
                        ? "the connections are held but idle"
                        : "the connections are at work"))
            .figure(
                "request threads in calls while others wait for a connection",
                pool.usual(),
                pool.whileWaiting(),
                Numbers::threeDigits)
            .value("callsWhileWaiting", pool.whileWaiting())
            .from(incident.timeline().recorded("jdk.NativeMethodSample"));
    pool.usual().ifPresent(usual -> finding.value("callsUsual", usual));
    return List.of(
        pool.idle()
            ? finding
                .explains(
                    Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT, 1 - HoldersTime.kept(incident))
                .build()
            : finding.refutes(Hypothesis.CONNECTION_LEAK).build());
  }

  private Finding unused(Incident incident, UnusedConnections unused) {
    FindingBuilder finding =
        Finding.of(
                id(),
                (unused.dump().isPresent()
                        ? "in the "
                            + Numbers.count(unused.seconds())
                            + " seconds before a dump with threads waiting for a connection"
                        : "while threads waited for a connection ("
                            + Numbers.count(unused.seconds())
                            + " seconds)")
                    + ", "
                    + (Numbers.threeDigits(unused.atWork()).equals("0")
                        ? "no request thread was"
                        : Numbers.threeDigits(unused.atWork()) + " request threads were")
                    + " running or in a call (by samples): the connections are held but idle")
            .figure(
                "request threads running or in calls while others wait for a connection",
                Numbers.threeDigits(unused.atWork()))
            .value("atWorkWhileWaiting", unused.atWork())
            .from(incident.timeline().recorded("jdk.NativeMethodSample"))
            .explains(Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT, 1 - HoldersTime.kept(incident));
    unused.dump().ifPresent(finding::from);
    return finding.build();
  }
}
