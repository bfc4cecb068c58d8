package io.gcdiag.causes.workers;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.HeldCarriers;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** Names virtual threads that stay on their carriers from dump to dump, so that no other runs. */
final class CarriersInDumps {

  private CarriersInDumps() {}

  static Optional<Finding> of(String rule, Incident incident) {
    return HeldCarriers.of(incident)
        .map(kept -> judge(rule, kept))
        .or(() -> waitedOn(rule, incident))
        .or(() -> HeldCarriers.idleInLastDump(incident).map(last -> lead(rule, last)));
  }

  private static Finding judge(String rule, HeldCarriers kept) {
    int count = kept.virtualThreads().size();
    String threads = names(kept);
    FindingBuilder finding =
        Finding.of(
                rule,
                ("%s been blocked for at least %s: the same virtual %s (%s) in each dump, with"
                        + " hardly any CPU time used%s")
                    .formatted(
                        count == 1 ? "1 carrier has" : count + " carriers have",
                        Durations.format(kept.length()),
                        count == 1 ? "thread on it" : "threads on them",
                        threads,
                        kept.isAll() ? "; no other virtual thread can run" : ""))
            .value("carriers", count)
            .value("seconds", Durations.seconds(kept.length()))
            .from(kept.sources());
    if (!kept.isAll()) {
      return finding.supports(Hypothesis.VIRTUAL_THREAD_PINNING).build();
    }
    String queue =
        "while virtual threads "
            + threads
            + " hold all carriers, no other virtual thread runs, not even one that they wait for";
    return finding
        .proves(Hypothesis.VIRTUAL_THREAD_PINNING)
        .explains(Hypothesis.VIRTUAL_THREAD_PINNING, Effect.PINNED, 1)
        .passes(Effect.UNACCOUNTED, Effect.PINNED, 1, queue)
        .passes(Effect.WORKER_WAIT, Effect.PINNED, 1, queue)
        .advises(
            Hypothesis.VIRTUAL_THREAD_PINNING,
            "find the %s of %s in 'jcmd PID Thread.dump_to_file threads.txt'; %s"
                .formatted(
                    count == 1 ? "stack" : "stacks",
                    threads,
                    VirtualThreadPinningCause.FIRST_ACTION))
        .build();
  }

  /** What virtual threads wait for may be done by one that has no carrier. */
  private static Optional<Finding> waitedOn(String rule, Incident incident) {
    OptionalInt carriers = HeldCarriers.waitedOnInOneDump(incident);
    if (carriers.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        Finding.of(
                rule,
                "virtual threads hold all "
                    + carriers.getAsInt()
                    + " carriers while they wait; no other virtual thread can run, not even one"
                    + " that they wait for")
            .value("carriers", carriers.getAsInt())
            .from(HeldCarriers.lastDump(incident).source())
            .warns(Hypothesis.VIRTUAL_THREAD_PINNING)
            .build());
  }

  private static Finding lead(String rule, ThreadSnapshot last) {
    return Finding.of(
            rule,
            "the last dump has a virtual thread on each carrier although the JVM hardly uses CPU:"
                + " they may be blocked, which a second dump would show")
        .from(last.source())
        .supports(Hypothesis.VIRTUAL_THREAD_PINNING)
        .build();
  }

  /** {@code #545, #546}. */
  private static String names(HeldCarriers kept) {
    String named =
        kept.virtualThreads().stream()
            .limit(Policy.MOST_NAMED)
            .map(number -> "#" + number)
            .collect(Collectors.joining(", "));
    return kept.virtualThreads().size() > Policy.MOST_NAMED ? named + ", ..." : named;
  }
}
