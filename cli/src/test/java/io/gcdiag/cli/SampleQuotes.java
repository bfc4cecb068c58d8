package io.gcdiag.cli;

import io.gcdiag.books.Advice;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Prediction;
import io.gcdiag.evidence.jvm.AllocationSite;
import io.gcdiag.evidence.jvm.StackProfile;
import io.gcdiag.evidence.threads.WaitSample.SlowRequests;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.figures.AllocationSummary;
import io.gcdiag.figures.CpuSummary;
import io.gcdiag.figures.CpuSummary.HotSpot;
import io.gcdiag.figures.CrossCheck;
import io.gcdiag.figures.CrossCheck.Agreement;
import io.gcdiag.figures.GcSummary;
import io.gcdiag.figures.InputLimit;
import io.gcdiag.figures.Metric;
import io.gcdiag.figures.Metric.Origin;
import io.gcdiag.figures.Metric.Unit;
import io.gcdiag.measures.requests.EndpointExcess;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Estimate;
import io.gcdiag.units.Rate;
import io.gcdiag.verdict.CausalGraph;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** A diagnosis that quotes what its inputs say, as hostile as that may be. */
public final class SampleQuotes {

  private SampleQuotes() {}

  /** The sample in which the text of a file appears wherever such texts can appear. */
  public static Diagnosis everywhere(String text) {
    Diagnosis d = SampleDiagnosis.memoryPressure();
    Finding finding =
        Finding.of("quote", text).sum(text).from(new Source("f" + text, "x" + text)).build();
    Judgement judgement =
        new Judgement(
            Hypothesis.MEMORY_PRESSURE,
            Verdict.PRIMARY_SUSPECT,
            new Judgement.Share(OptionalDouble.of(1), Optional.empty()),
            new Judgement.Rating(Optional.empty(), "", ""),
            text,
            List.of(finding),
            List.of(),
            List.of(text),
            Advice.NONE);
    return new Diagnosis(
        List.of(SampleDiagnosis.input("file " + text, text, InputReport.Status.PARTIAL, text)),
        d.jvm(),
        d.windows(),
        d.conclusion(),
        Diagnosis.Told.of(text),
        List.of(judgement),
        new Diagnosis.LostTime(
            d.lostTime().ledger(),
            0,
            false,
            new CausalGraph(
                List.of(SampleCauses.step(text, "pool-wait", 0.5, text)),
                List.of(SampleCauses.step("pool-wait", text, 0.5, text))),
            Map.of()),
        List.of(
            new Finding.Inseparable(Hypothesis.MEMORY_PRESSURE, Hypothesis.HEAP_RESIZING, text)),
        List.of(
            new CrossCheck(
                text,
                new CrossCheck.Side(Origin.words(text), 1),
                new CrossCheck.Side(Origin.words(text), 2),
                text,
                Agreement.NO,
                text)),
        new Diagnosis.Figures(
            List.of(
                new Metric(
                    text,
                    text,
                    Unit.COUNT,
                    OptionalDouble.of(1),
                    OptionalDouble.of(2),
                    Origin.words(text))),
            List.of(
                new EndpointExcess(
                    text,
                    1,
                    new EndpointExcess.Side(
                        1, new Rate(1), Duration.ofMillis(1), Optional.empty(), Optional.empty()),
                    new EndpointExcess.Side(
                        1, new Rate(1), Duration.ofMillis(2), Optional.empty(), Optional.empty()),
                    false,
                    new Source(text, text))),
            List.of(
                new Station(
                    Station.Kind.CALLS,
                    text,
                    Optional.empty(),
                    Optional.empty(),
                    new Station.Row(OptionalDouble.of(1), 1, Optional.empty(), 1),
                    OptionalDouble.of(1),
                    text,
                    List.of(new Source(text, text)))),
            List.of(
                new SlowRequests(
                    Instant.EPOCH,
                    new SlowRequests.Side(1, 1),
                    new SlowRequests.Side(1, 1),
                    List.of(new SlowRequests.Part(text, 1, 1)),
                    List.of(new SlowRequests.Part(text, 1, 1)),
                    List.of(new SlowRequests.Allocated(text, 1, 1)),
                    new Source(text, text))),
            new AllocationSummary(
                OptionalDouble.of(1),
                OptionalDouble.of(1),
                text,
                List.of(
                    new AllocationSite(
                        text,
                        text,
                        text,
                        true,
                        AllocationSite.Path.SAMPLED,
                        Bytes.of(1),
                        1,
                        Optional.empty())),
                List.of(
                    new AllocationSite(
                        text,
                        text,
                        text,
                        false,
                        AllocationSite.Path.OUTSIDE_TLAB,
                        Bytes.of(1),
                        1,
                        Optional.of(Bytes.of(1)))),
                OptionalDouble.of(0),
                text,
                SampleStacks.quoting(StackProfile.Kind.ALLOCATION, text)),
            new CpuSummary(
                30,
                List.of(new HotSpot(text, OptionalDouble.of(0), 1)),
                List.of(),
                SampleStacks.quoting(StackProfile.Kind.CPU, text)),
            new GcSummary(
                1, 1, List.of(), List.of(), List.of(new GcSummary.Cause(text, 1, 1, 1)), 0, 0),
            SampleStacks.quoting(StackProfile.Kind.WAITING, text),
            List.of(SampleCharts.quoting(text, SampleDiagnosis.INCIDENT))),
        List.of(),
        List.of(new InputLimit(text, Optional.empty())),
        List.of(
            new Prediction(
                Hypothesis.MEMORY_PRESSURE,
                text,
                Prediction.Quantity.STOPPED,
                OptionalDouble.of(0.5),
                Optional.of(new Estimate(0.1, 0.2)),
                text,
                List.of(text))),
        Diagnosis.Hidden.NOTHING);
  }
}
