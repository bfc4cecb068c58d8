package io.gcdiag.causes.workers;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.HeldCarriers;
import io.gcdiag.measures.threads.PinnedCarriers;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Virtual threads block while pinned to their carriers. */
public final class VirtualThreadPinningCause extends Cause {

  static final String FIRST_ACTION =
      "replace the synchronized block around the blocking call by a "
          + "ReentrantLock, or call outside it; JDK 24 and later release the carrier "
          + "inside synchronized";

  private static final String SYNCHRONIZED = "synchronized";

  /**
   * The JDK since which a virtual thread that blocks inside synchronized is unmounted (JEP 491).
   */
  private static final String WITHOUT_PINNING = "JDK 24";

  public VirtualThreadPinningCause() {
    super(
        Hypothesis.VIRTUAL_THREAD_PINNING,
        "Pinned virtual threads block their carriers",
        FIRST_ACTION,
        List.of(new PinnedCarriersRule()),
        Trait.OF_SOME_REQUESTS,
        Trait.SEEN_IN_WAITS);
    chartLine("pinned to a carrier", "Pinned carriers");
  }

  @Override
  public void place(PlaceParts found) {
    Optional<WaitSeries> most = found.longest(found.timeline().waits(WaitKind.PINNED));
    found
        .own()
        .most(Activity.PINNED)
        .ifPresent(
            at ->
                found.add(
                    new Part(
                        Role.CODE,
                        at.place().toString(),
                        at.subject().isEmpty()
                            ? most.map(series -> series.site().name()).orElse("")
                            : SYNCHRONIZED + "; " + at.subject() + " blocks in it",
                        at.source())));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    boolean here =
        suspect.at(Role.CODE).filter(part -> part.detail().startsWith(SYNCHRONIZED)).isPresent();
    return suspect.code(
        (here
                ? "replace synchronized"
                : "replace the synchronized block or method around this blocking call, here or in a"
                    + " caller,")
            + " by a ReentrantLock, or run on "
            + WITHOUT_PINNING
            + " or later");
  }

  /**
   * Asks whether blocked virtual threads occupy all carriers, so that others cannot run: by events
   * of pinned waits, and by thread dumps for those that have not ended.
   */
  @Judges(
      value = Hypothesis.VIRTUAL_THREAD_PINNING,
      needs = Signal.PINNED_THREADS,
      standIns = Signal.THREAD_DUMPS)
  static final class PinnedCarriersRule implements Rule {

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      Optional<WaitSeries> top =
          WaitSeries.longest(incident.timeline().waits(WaitKind.PINNED), incident.window())
              .filter(series -> series.within(incident.window()).count() > 0);
      return Stream.of(
              top.map(series -> judge(incident, series)), CarriersInDumps.of(id(), incident))
          .flatMap(Optional::stream)
          .toList();
    }

    private Finding judge(Incident incident, WaitSeries top) {
      Window window = incident.window();
      PinnedCarriers pinned = PinnedCarriers.of(incident.timeline(), window);
      Optional<Double> before =
          incident
              .baseline()
              .map(baseline -> PinnedCarriers.of(incident.timeline(), baseline).meanPinned());
      WaitSeries.Totals totals = top.within(window);
      Duration mean = totals.mean();
      String blocked =
          Numbers.threeDigits(pinned.meanPinned())
              + (pinned.carriers().isPresent() ? " of " + pinned.carriers().getAsInt() : "");
      FindingBuilder finding =
          Finding.of(
                  id(),
                  ("pinned virtual threads blocked %s carriers on average%s, and left none free %s of"
                          + " the time; most in %s (%s times, %s on average)")
                      .formatted(
                          blocked,
                          before.map(b -> " (before: " + Numbers.threeDigits(b) + ")").orElse(""),
                          new Ratio(pinned.takenShare()),
                          top.site().name(),
                          Numbers.count(totals.count()),
                          Durations.format(mean)))
              .figure(
                  "carriers blocked by pinned threads, mean",
                  before.map(Numbers::threeDigits),
                  blocked)
              .figure(
                  "time pinned threads leave no carrier free",
                  new Ratio(pinned.takenShare()).toString())
              .value("meanPinned", pinned.meanPinned())
              .value("takenShare", pinned.takenShare())
              .from(top.source());
      if (pinned.carriers().isEmpty()) {
        return finding.supports(Hypothesis.VIRTUAL_THREAD_PINNING).build();
      }
      finding.value("carriers", pinned.carriers().getAsInt());
      if (pinned.takenShare() == 0) {
        // A pinned wait that has not ended has no event.
        if (HeldCarriers.isPossible(incident)) {
          return finding.build();
        }
        return finding.refutes(Hypothesis.VIRTUAL_THREAD_PINNING).build();
      }
      if (pinned.takenShare() >= Policy.MAJORITY) {
        finding.warns(Hypothesis.VIRTUAL_THREAD_PINNING);
      }
      String queue =
          "while pinned threads hold all "
              + pinned.carriers().getAsInt()
              + " carriers, no other virtual thread runs";
      return finding
          .sum(
              "at most %s / %s = %s such calls per second"
                  .formatted(
                      pinned.carriers().getAsInt(),
                      Durations.format(mean),
                      Numbers.threeDigits(pinned.carriers().getAsInt() / Durations.seconds(mean))))
          .explains(Hypothesis.VIRTUAL_THREAD_PINNING, Effect.PINNED, 1)
          .passes(Effect.UNACCOUNTED, Effect.PINNED, pinned.takenShare(), queue)
          .passes(Effect.WORKER_WAIT, Effect.PINNED, pinned.takenShare(), queue)
          .passes(
              Effect.DOWNSTREAM_WAIT,
              Effect.PINNED,
              pinned.takenShare() * notPinned(incident.timeline(), window),
              0,
              "a virtual thread whose response has arrived waits for a carrier as well")
          .build();
    }

    /**
     * Share of the time in calls, 0 to 1, that no pinned thread was in: its part of their length is
     * the wait for a carrier, up to all of it.
     */
    private static double notPinned(Timeline timeline, Window window) {
      double calls = WaitSeries.seconds(UserWaits.of(timeline, Effect.DOWNSTREAM_WAIT), window);
      double kept = WaitSeries.seconds(UserWaits.of(timeline, Effect.PINNED), window);
      return calls > 0 && kept > 0 ? Math.max(0, 1 - kept / calls) : 0;
    }

    /**
     * Names virtual threads that occupy their carriers from dump to dump, so that no others run.
     */
    private static final class CarriersInDumps {

      static Optional<Finding> of(String rule, Incident incident) {
        return HeldCarriers.of(incident)
            .map(kept -> judge(rule, kept))
            .or(() -> mounted(rule, incident))
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

      /** Events show how long each was blocked; dumps only show that all carriers are occupied. */
      private static Optional<Finding> mounted(String rule, Incident incident) {
        return incident.timeline().sees(Signal.PINNED_THREADS)
            ? Optional.empty()
            : HeldCarriers.mountedInEach(incident).map(all -> judge(rule, all));
      }

      private static Finding judge(String rule, HeldCarriers.Mounted all) {
        FindingBuilder finding =
            Finding.of(
                    rule,
                    ("all %s carriers have a virtual thread on them in each of %s, although they used"
                            + " a CPU for %s of the time: these are blocked and were not unmounted")
                        .formatted(
                            all.carriers(),
                            Numbers.counted(all.dumps().size(), "dump"),
                            new Ratio(all.used())))
                .value("carriers", all.carriers())
                .value("usedShare", all.used())
                .from(all.dumps().stream().map(ThreadSnapshot::source).toList());
        String queue = "while all carriers are held, no other virtual thread runs";
        return finding
            .explains(Hypothesis.VIRTUAL_THREAD_PINNING, Effect.PINNED, 1)
            .passes(Effect.UNACCOUNTED, Effect.PINNED, 1, queue)
            .passes(Effect.WORKER_WAIT, Effect.PINNED, 1, queue)
            .build();
      }

      /** Virtual threads may wait for one that has no carrier. */
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

      private static String names(HeldCarriers kept) {
        String named =
            kept.virtualThreads().stream()
                .limit(Policy.MOST_NAMED)
                .map(number -> "#" + number)
                .collect(Collectors.joining(", "));
        return kept.virtualThreads().size() > Policy.MOST_NAMED ? named + ", ..." : named;
      }
    }
  }
}
