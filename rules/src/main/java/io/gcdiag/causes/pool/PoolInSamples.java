package io.gcdiag.causes.pool;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.Incident;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.units.Numbers;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What samples of a recording show of the connections that threads wait for: whether they are at
 * work, held idle or not returned.
 *
 * @param rule the id of the rule
 */
record PoolInSamples(String rule, Incident incident) {

  Optional<Finding> finding() {
    return UnusedConnections.of(incident)
        .map(this::unused)
        .or(
            () ->
                SampledPool.of(incident)
                    .filter(
                        pool ->
                            pool.idle() || pool.atWork() && !HoldersTime.mostlyElsewhere(incident))
                    .map(this::compared));
  }

  private Finding compared(SampledPool pool) {
    String against =
        pool.usual().isPresent()
            ? ", against " + Numbers.threeDigits(pool.usual().getAsDouble()) + " before"
            : HoldersTime.mostlyAtWork(incident)
                ? ", and holders spend most of the hold time in such calls"
                : ", dumps show as many, and no other thread can hold one";
    FindingBuilder finding =
        begin(
            waited(pool.seconds()),
            "in calls",
            pool.usual(),
            pool.whileWaiting(),
            against,
            pool.idle());
    return pool.idle() ? kept(finding) : finding.refutes(Hypothesis.CONNECTION_LEAK).build();
  }

  private Finding unused(UnusedConnections unused) {
    String when =
        unused.dump().isPresent()
            ? "in the "
                + Numbers.count(unused.seconds())
                + " seconds before a dump with threads waiting for a connection"
            : waited(unused.seconds());
    FindingBuilder finding =
        begin(when, "running or in calls", OptionalDouble.empty(), unused.atWork(), "", true);
    unused.dump().ifPresent(finding::from);
    return kept(finding);
  }

  private static String waited(int seconds) {
    return "while threads waited for a connection (" + Numbers.count(seconds) + " seconds)";
  }

  private FindingBuilder begin(
      String when,
      String doing,
      OptionalDouble usual,
      double atWork,
      String against,
      boolean idle) {
    String number = Numbers.threeDigits(atWork);
    return Finding.of(
            rule,
            "%s, %s %s (by samples)%s: the connections are %s"
                .formatted(
                    when,
                    number.equals("0") ? "no request thread was" : number + " request threads were",
                    doing,
                    against,
                    idle ? "held but idle" : "at work"))
        .figure("request threads " + doing + " while others wait for a connection", usual, atWork)
        .value("callsWhileWaiting", atWork)
        .value("callsUsual", usual)
        .from(incident.timeline().recorded("jdk.NativeMethodSample"));
  }

  private Finding kept(FindingBuilder finding) {
    return finding
        .explains(Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT, 1 - HoldersTime.kept(incident))
        .build();
  }
}
