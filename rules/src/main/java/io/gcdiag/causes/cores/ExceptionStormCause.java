package io.gcdiag.causes.cores;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.causes.cores.RuntimeWork.ExceptionRates;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.jvm.JvmSample.ThrownErrors;
import io.gcdiag.evidence.jvm.JvmSample.ThrownExceptions;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.time.SampleCounts;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Ordered;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Exceptions with stack traces in bulk. */
public final class ExceptionStormCause extends Cause {
  public ExceptionStormCause() {
    super(
        Hypothesis.EXCEPTION_STORM,
        "Exception storm: many exceptions per second",
        "look at where they are thrown (record with "
            + "jdk.JavaExceptionThrow#enabled=true) and test before trying; an exception "
            + "for control flow needs no stack trace",
        List.of(new ExceptionRateRule()),
        Trait.OF_SOME_REQUESTS,
        Trait.SEEN_IN_CPU);
  }

  @Override
  public void place(PlaceParts found) {
    found.code(
        found
            .own()
            .mostOfAll(Activity.THROWING)
            .or(() -> found.own().mostOfAll(Activity.SAMPLED_THROWING)));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.code(
        "validate the value before it is parsed or used, so that no exception is thrown");
  }

  /** Asks how many exceptions are created, their cost, and their types and code locations. */
  @Judges(value = Hypothesis.EXCEPTION_STORM, needs = Signal.EXCEPTION_COUNTS)
  static final class ExceptionRateRule implements Rule {

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      return ExceptionRates.of(incident).map(rates -> judge(incident, rates)).stream().toList();
    }

    private Finding judge(MeasuredIncident incident, ExceptionRates rates) {
      RuntimeWork work = RuntimeWork.of(incident);
      Optional<Rate> requests = RequestRate.of(incident.timeline(), incident.window());
      FindingBuilder finding =
          Finding.of(id(), statement(incident, rates, work, requests))
              .figure("exceptions per second", rates.before(), rates.during())
              .figure(
                  RuntimeWork.baseline(incident).isPresent()
                      ? "growth in CPU use by exceptions"
                      : "CPU use by exceptions",
                  new Ratio(work.exceptions()).toString())
              .value("perSecond", rates.during())
              .value("perSecondBefore", rates.before())
              .value("shareOfCpuGrowth", work.exceptions())
              .from(rates.source());
      requests.ifPresent(rate -> finding.value("perRequest", rates.during() / rate.perSecond()));
      String most = Numbers.threeDigits(rates.growth() * ExceptionRates.MOST_SECONDS);
      if (!most.equals("0")) {
        finding.sum(
            "%s more per second x %s to %s each = %s to %s cores%s %s"
                .formatted(
                    Numbers.count(Math.round(rates.growth())),
                    Durations.format(ExceptionRates.LEAST_SECONDS),
                    Durations.format(ExceptionRates.MOST_SECONDS),
                    Numbers.threeDigits(rates.growth() * ExceptionRates.LEAST_SECONDS),
                    most,
                    RuntimeWork.baseline(incident).isPresent()
                        ? "; CPU use grew by"
                        : ", of the service's",
                    Numbers.threeDigits(work.grownCores())));
      }
      errors(incident).forEach(finding::sum);
      weigh(incident, finding, rates, work);
      return finding.build();
    }

    /** Errors count as exceptions. Even a few are stated, because normally there are none. */
    private static List<String> errors(Incident incident) {
      Map<String, Long> kinds = new TreeMap<>();
      incident
          .timeline()
          .samples(ThrownErrors.class, incident.window())
          .forEach(
              error -> kinds.merge(error.type() + " at " + error.site(), error.count(), Long::sum));
      return Ordered.largestFirst(kinds).stream()
          .limit(Policy.MOST_NAMED)
          .map(kind -> "errors created: " + Numbers.count(kind.getValue()) + " of " + kind.getKey())
          .toList();
    }

    private static void weigh(
        MeasuredIncident incident, FindingBuilder finding, ExceptionRates rates, RuntimeWork work) {
      if (rates.during() * ExceptionRates.MOST_SECONDS < Policy.LEAST_THREADS_FELT) {
        finding.refutes(Hypothesis.EXCEPTION_STORM);
        return;
      }
      boolean rose = RuntimeWork.baseline(incident).isPresent() && !isSteady(rates);
      if (!rose && incident.baseline().isPresent()) {
        // What already went on in the baseline is not the cause. If it is a large part of the
        // service's work, reducing it would still help, so the cause is not excluded.
        finding.contradicts(Hypothesis.EXCEPTION_STORM, inSamples(incident) < Policy.NOTABLE);
        return;
      }
      double cores = work.exceptions() * work.grownCores();
      boolean notable = work.exceptions() >= Policy.NOTABLE && cores >= Policy.LEAST_THREADS_FELT;
      if (rose && !notable) {
        finding.weakens(Hypothesis.EXCEPTION_STORM);
      } else if (work.exceptions() >= Policy.MAJORITY
          && cores >= Policy.NOTABLE * Math.max(1, incident.timeline().jvm().cpus().orElse(1))) {
        // Holds without a baseline too: no service needs most of its CPU time for exceptions.
        finding.warns(Hypothesis.EXCEPTION_STORM);
      } else {
        // Without a baseline the rate may be normal for this service.
        finding.supports(Hypothesis.EXCEPTION_STORM);
      }
      if (notable) {
        finding
            .explains(Hypothesis.EXCEPTION_STORM, Effect.RUNNING, work.exceptions())
            .samples(HotCode.samples(incident));
        AddedCpuTime.claim(incident, work.exceptions(), finding);
      }
    }

    private static boolean isSteady(ExceptionRates rates) {
      return rates.before().isPresent()
          && rates.during() <= (1 + Policy.NOTABLE) * rates.before().getAsDouble();
    }

    private static double inSamples(Incident incident) {
      SampleCounts counts = incident.timeline().profiles().cpu().within(incident.window());
      return counts.java() < Policy.FEWEST_SAMPLES
          ? 0
          : counts.creatingExceptions() / (double) counts.java();
    }

    private static String statement(
        Incident incident, ExceptionRates rates, RuntimeWork work, Optional<Rate> requests) {
      String before =
          rates.before().isPresent()
              ? " (before: " + Numbers.threeDigits(rates.before().getAsDouble()) + ")"
              : "";
      if (rates.during() == 0) {
        return "no exceptions were thrown" + (rates.before().orElse(0) == 0 ? "" : before);
      }
      return Numbers.threeDigits(rates.during())
          + " exceptions per second"
          + before
          + requests
              .map(rate -> Numbers.threeDigits(rates.during() / rate.perSecond()))
              .filter(each -> !each.equals("0"))
              .map(each -> ", " + each + " per request")
              .orElse("")
          + (work.exceptions() >= Policy.NOTABLE
              ? ", which take "
                  + new Ratio(work.exceptions())
                  + (RuntimeWork.baseline(incident).isPresent()
                      ? " of the growth in CPU use"
                      : " of the service's CPU use")
              : inSamples(incident) >= Policy.NOTABLE
                  ? "; " + new Ratio(inSamples(incident)) + " of the samples create them"
                  : "")
          + most(incident).map(kind -> "; most are " + kind).orElse("");
    }

    /**
     * Type and code location of most exceptions recorded one by one; many recordings do not have
     * these events.
     */
    private static Optional<String> most(Incident incident) {
      Map<String, Long> kinds =
          incident.timeline().samples(ThrownExceptions.class, incident.window()).stream()
              .collect(
                  Collectors.groupingBy(
                      thrown -> thrown.type() + " at " + thrown.site(),
                      Collectors.summingLong(ThrownExceptions::count)));
      double all = kinds.values().stream().mapToLong(Long::longValue).sum();
      return Ordered.largestFirst(kinds).stream()
          .findFirst()
          .map(entry -> entry.getKey() + " (" + new Ratio(entry.getValue() / all) + ")");
    }
  }
}
