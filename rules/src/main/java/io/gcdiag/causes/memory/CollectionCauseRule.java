package io.gcdiag.causes.memory;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.GcSample.ExplicitCollection;
import io.gcdiag.evidence.jvm.PauseType;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.CollectionTrigger;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.jvm.SafepointTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Collections whose stated cause is a root cause by itself: System.gc(), GCLocker and so on. */
@Judges(
    value = {
      Hypothesis.EXPLICIT_GC,
      Hypothesis.GC_LOCKER,
      Hypothesis.HUMONGOUS_ALLOCATION,
      Hypothesis.METASPACE_PRESSURE,
      Hypothesis.DIRECT_MEMORY,
      Hypothesis.JIT_PRESSURE
    },
    needs = Signal.GC_PAUSES)
final class CollectionCauseRule implements Rule {

  private static final List<Hypothesis> CAUSES =
      List.of(
          Hypothesis.EXPLICIT_GC,
          Hypothesis.GC_LOCKER,
          Hypothesis.HUMONGOUS_ALLOCATION,
          Hypothesis.METASPACE_PRESSURE,
          Hypothesis.JIT_PRESSURE);

  /** Neither command collects anything then: HotSpot, {@code diagnosticCommand.cpp}. */
  private static final String LOOK_SELDOM =
      "find what takes class histograms or heap dumps in production (a script, an agent, a"
          + " scheduled job), and run it rarely; with the option -all, 'jcmd PID"
          + " GC.class_histogram' and 'GC.heap_dump' skip the full GC";

  private static final String STOP_TOOL =
      "find what requests the GCs (a script that runs 'jcmd PID GC.run', a tool that uses JMX, an"
          + " agent), and stop that";

  private static final String MORE_CODE =
      "raise -XX:ReservedCodeCacheSize: the fuller the code cache, the sooner it has the heap"
          + " collected again";

  private static final String BY_THE_JDK =
      ", called by the JDK itself because direct buffers reached their limit"
          + " (-XX:MaxDirectMemorySize)";

  @Override
  public List<Finding> examine(MeasuredIncident incident) {
    Window window = incident.window();
    Pauses all = incident.timeline().pauses(window);
    Pauses caused = all.ofType(type -> !CollectionTrigger.isOrdinary(type));
    Set<GcPause> humongousFulls = incident.heap(window).humongousFulls();
    StoppedTimeSplit split = StoppedTimeSplit.of(incident);
    List<Finding> findings = new ArrayList<>();
    for (Hypothesis cause : CAUSES) {
      Pauses own = caused.ofType(type -> TriggerOwner.of(type).filter(cause::equals).isPresent());
      if (!own.isEmpty()) {
        boolean fulls = cause == Hypothesis.HUMONGOUS_ALLOCATION && !humongousFulls.isEmpty();
        FindingBuilder finding =
            named(cause, own, fulls ? humongousFulls : Set.of(), all.size(), split, incident);
        if (fulls) {
          finding
              .value("fullCollections", humongousFulls.size())
              .supports(cause)
              .figure(
                  "full GCs by humongous allocation per minute",
                  incident,
                  one -> perMinute(incident.heap(one).humongousFulls(), one));
        }
        figure(finding, own, incident);
        addCallers(finding, cause, incident);
        List<Hypothesis> blamed = blamed(cause, own, incident);
        if (own.types().stream().allMatch(CollectionTrigger::isForLooking)) {
          finding.advises(cause, LOOK_SELDOM);
        } else if (cause == Hypothesis.EXPLICIT_GC && isByTools(own, incident)) {
          finding.advises(cause, STOP_TOOL);
        } else if (cause == Hypothesis.JIT_PRESSURE) {
          finding.advises(cause, MORE_CODE);
        }
        if (TriggerOwner.isForced(cause) && TailPauses.among(own, incident.window())) {
          blamed.forEach(finding::warns);
        } else if (TriggerOwner.isForced(cause)
            && TailPauses.recur(own)
            && Durations.seconds(own.sum()) > Policy.MAJORITY * Durations.seconds(all.sum())) {
          // Rare, but no other stop is as long.
          blamed.forEach(finding::supports);
        }
        if (cause == Hypothesis.GC_LOCKER && own.size() > Policy.MAJORITY * all.size()) {
          // The collections were due anyway, and most had to wait for native code.
          finding.supports(cause);
        }
        findings.add(finding.build());
      }
    }
    return findings;
  }

  /** Bearings of pauses with such a cause, and of full GCs that followed humongous allocations. */
  private FindingBuilder named(
      Hypothesis cause,
      Pauses own,
      Set<GcPause> fulls,
      int all,
      StoppedTimeSplit split,
      Incident incident) {
    PauseTotals totals = PauseTotals.of(fulls.isEmpty() ? own : fulls, 1);
    List<Hypothesis> blamed = blamed(cause, own, incident);
    // Some requests may come from the JDK itself; this rule judges the others.
    List<Hypothesis> causes =
        cause == Hypothesis.EXPLICIT_GC ? List.of(cause, Hypothesis.DIRECT_MEMORY) : List.of(cause);
    double share = causes.stream().mapToDouble(split::share).sum();
    FindingBuilder finding =
        Finding.of(
                id(),
                ("%s of %s%s%s%s%s (%s in total, longest %s); share of the growth in pause time:"
                        + " %s")
                    .formatted(
                        own.size(),
                        all,
                        all == 1 ? " pause has " : " pauses have ",
                        words(own),
                        blamed.contains(cause) ? "" : BY_THE_JDK,
                        fulls.isEmpty() ? "" : ", with " + Numbers.counted(fulls.size(), "full GC"),
                        Durations.format(totals.sum()),
                        Durations.format(totals.longest()),
                        new Ratio(share)))
            .value("pauses", own.size())
            .value("pauseSeconds", Durations.seconds(totals.sum()))
            .value("ownShare", share)
            .from(own.get(0).source());
    causes.forEach(one -> finding.explains(one, Effect.STOPPED, split.share(one)));
    return blamed.size() > 1
        ? finding.inseparable(blamed.get(0), blamed.get(1), GcRequester.EXPERIMENT)
        : finding;
  }

  private static boolean isByTools(Pauses own, Incident incident) {
    return own.types().stream().noneMatch(GcRequester::isCall)
        || GcRequester.isOutside(incident.timeline(), incident.window());
  }

  /**
   * A call that the JDK makes itself is not in the service's code. Diagnostic commands collect
   * without a call.
   */
  private static List<Hypothesis> blamed(Hypothesis cause, Pauses own, Incident incident) {
    double called = Durations.seconds(own.ofType(GcRequester::isCall).sum());
    return cause == Hypothesis.EXPLICIT_GC
            && called > Policy.MAJORITY * Durations.seconds(own.sum())
        ? GcRequester.of(incident.timeline(), incident.window()).causes()
        : List.of(cause);
  }

  private static String words(Pauses own) {
    List<String> causes = own.types().stream().map(PauseType::cause).distinct().sorted().toList();
    return (causes.size() == 1 ? "the cause " : "the causes ")
        + causes.stream().map(cause -> "'" + cause + "'").collect(Collectors.joining(" or "));
  }

  /** Time in pauses of these causes, before and during the incident. */
  private static void figure(FindingBuilder finding, Pauses own, Incident incident) {
    Set<String> causes = own.types().stream().map(PauseType::cause).collect(Collectors.toSet());
    finding.figure(
        "time in pauses with " + words(own) + " per minute",
        incident,
        window ->
            Durations.format(
                PauseTotals.of(
                        incident
                            .timeline()
                            .pauses(window)
                            .ofType(type -> causes.contains(type.cause())),
                        window.seconds())
                    .sumPerMinute()));
  }

  static String perMinute(Collection<GcPause> pauses, Window window) {
    return Numbers.threeDigits(new Rate(pauses.size() / window.seconds()).perMinute());
  }

  private static void addCallers(FindingBuilder finding, Hypothesis cause, Incident incident) {
    if (cause != Hypothesis.EXPLICIT_GC) {
      return;
    }
    Map<String, List<ExplicitCollection>> byCaller =
        incident.timeline().samples(ExplicitCollection.class, incident.window()).stream()
            .collect(
                Collectors.groupingBy(
                    ExplicitCollection::caller, TreeMap::new, Collectors.toList()));
    byCaller.forEach(
        (caller, made) -> {
          Duration waited =
              made.stream().map(ExplicitCollection::duration).reduce(Duration.ZERO, Duration::plus);
          finding
              .sum(
                  "%s of System.gc() by %s%s, %s in total"
                      .formatted(
                          Numbers.counted(made.size(), "call"),
                          caller.isEmpty() ? "an unknown caller" : caller,
                          made.stream().allMatch(ExplicitCollection::forDirectBuffers)
                              ? ", which allocates direct buffers"
                              : "",
                          Durations.format(waited)))
              .from(made.get(0).source());
        });
  }

  /**
   * Whether avoidable pauses make up the slowest hundredth of the requests, even if pauses are a
   * small part of the time. A request that arrives in a pause waits for its end, so pauses of 1 %
   * of the time determine the 99th percentile.
   */
  static final class TailPauses {

    /** Whether some of these pauses are long and recur. */
    static boolean recur(Pauses pauses) {
      return longOnes(pauses).size() >= Policy.RECURRING;
    }

    private static Pauses longOnes(Pauses pauses) {
      return pauses.where(i -> pauses.nanos(i) >= SafepointTimes.LONG.toNanos());
    }

    /** Whether the long ones among these pauses recur and take that much time. */
    static boolean among(Pauses pauses, Window window) {
      Pauses longOnes = longOnes(pauses);
      return longOnes.size() >= Policy.RECURRING
          && Durations.seconds(longOnes.sum()) >= Policy.TAIL * window.seconds();
    }
  }
}
