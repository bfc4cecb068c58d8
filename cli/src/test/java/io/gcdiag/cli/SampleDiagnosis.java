package io.gcdiag.cli;

import io.gcdiag.books.Advice;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.LedgerEntry;
import io.gcdiag.books.Prediction;
import io.gcdiag.evidence.jvm.AllocationSite;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
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
import io.gcdiag.figures.SourceTimes.SourceTime;
import io.gcdiag.figures.StackTree;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Estimate;
import io.gcdiag.verdict.Conclusion;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Diagnoses put together by hand. The figures are those of one worked case: a heap of 256 MiB with
 * 202 MiB used, 308 ms of pauses a minute that became 1.25 s, and a pool of 10 of which 813/s x
 * 4.32 ms = 3.51 are needed.
 */
public final class SampleDiagnosis {

  private static final Window BASELINE = window("2026-03-01T01:13:00Z", "2026-03-01T01:14:00Z");
  static final Window INCIDENT = window("2026-03-01T01:14:00Z", "2026-03-01T01:15:00Z");

  private SampleDiagnosis() {}

  private static Window window(String from, String to) {
    return new Window(Instant.parse(from), Instant.parse(to));
  }

  /** Memory pressure, with everything a diagnosis can hold. */
  public static Diagnosis memoryPressure() {
    return new Diagnosis(
        List.of(
            input("recording.jfr", "jfr", InputReport.Status.OK, ""),
            input("gc.log", "gc-log", InputReport.Status.PARTIAL, "the last line is cut short")),
        jvm(),
        new Windows(
            INCIDENT,
            Optional.of(BASELINE),
            Windows.ChosenBy.CHANGE_POINT,
            true,
            "waiting for connections rose from 0 to 187 threads at 01:14:08"),
        Conclusion.PRIMARY_SUSPECT,
        Diagnosis.Told.of(
            "The heap was too small: 21.1 % of it was free where 40 % are wanted, and pauses grew from"
                + " 308 ms to 1.25 s a minute. Pauses alone account for part of the waiting only."),
        SampleJudgements.all(),
        new Diagnosis.LostTime(
            List.of(
                new LedgerEntry(
                    Effect.POOL_WAIT,
                    OptionalDouble.of(0),
                    187,
                    Optional.empty(),
                    11_220,
                    0.9,
                    false,
                    "parks of 10 ms or more",
                    "",
                    List.of()),
                new LedgerEntry(
                    Effect.STOPPED,
                    OptionalDouble.empty(),
                    4.2,
                    Optional.empty(),
                    252,
                    0.1,
                    false,
                    "pauses x busy threads",
                    "",
                    List.of()),
                new LedgerEntry(
                    Effect.UNACCOUNTED,
                    OptionalDouble.of(0.5),
                    3.1,
                    Optional.empty(),
                    0,
                    0,
                    true,
                    "a bound: in waits shorter than 10 ms, or waiting for CPU",
                    "",
                    List.of())),
            0.19,
            false,
            SampleCauses.graph(),
            Map.of()),
        List.of(),
        List.of(
            new CrossCheck(
                "threads waiting for a connection",
                new CrossCheck.Side(
                    new Origin(Optional.of(new Source("threads-1.txt", "")), "", ""), 187),
                new CrossCheck.Side(
                    new Origin(Optional.of(new Source("recording.jfr", "jdk.ThreadPark")), "", ""),
                    189),
                "187 and 189 threads",
                Agreement.YES,
                "10 %")),
        new Diagnosis.Figures(
            SampleMetrics.all(),
            List.of(),
            List.of(),
            List.of(),
            new AllocationSummary(
                OptionalDouble.of(148_176_371),
                OptionalDouble.empty(),
                "Sum of sampled weights over 60 s.",
                List.of(
                    new AllocationSite(
                        "java.lang.String",
                        "com.example.Orders.list",
                        "com.example.OrderController.list",
                        true,
                        AllocationSite.Path.SAMPLED,
                        Bytes.ofMebi(120),
                        44,
                        Optional.empty())),
                List.of(
                    new AllocationSite(
                        "byte[]",
                        "org.apache.tomcat.util.net.SocketBufferHandler.<init>",
                        "org.apache.tomcat.util.net.NioEndpoint.setSocketOptions",
                        false,
                        AllocationSite.Path.OUTSIDE_TLAB,
                        Bytes.ofMebi(3),
                        384,
                        Optional.of(Bytes.ofKibi(8)))),
                OptionalDouble.of(0),
                "allocation inside TLABs is sampled, not counted",
                SampleStacks.allocation()),
            new CpuSummary(
                1_000,
                List.of(
                    new HotSpot("java.util.zip.Inflater.inflate", OptionalDouble.of(0.2), 0.61),
                    new HotSpot("com.example.Orders.sort", OptionalDouble.empty(), 0.1)),
                List.of(
                    new HotSpot("com.example.OrderController.list", OptionalDouble.empty(), 0.9)),
                SampleStacks.cpu()),
            new GcSummary(
                2,
                0.9,
                List.of(new GcSummary.Percentile(50, 1_000_000)),
                List.of(new GcSummary.Length(0, 5_000_000, 2)),
                List.of(new GcSummary.Cause("G1 Evacuation Pause", 2, 2_000_000, 1_000_000)),
                3,
                4_000_000),
            SampleStacks.waiting(),
            SampleCharts.charts(INCIDENT)),
        List.of(
            new SourceTime(
                new Source("recording.jfr", "jdk.GCHeapSummary 01:14:08"),
                window("2026-03-01T01:14:08Z", "2026-03-01T01:14:08.001Z"))),
        List.of(
            new InputLimit(
                "heap size and resizing changed together; these files cannot tell them apart",
                Optional.empty())),
        List.of(
            new Prediction(
                Hypothesis.MEMORY_PRESSURE,
                "heap x 2 = 1 GiB",
                Prediction.Quantity.COLLECTIONS,
                OptionalDouble.of(80),
                Optional.of(new Estimate(10, 20)),
                "allocation of 141 MiB a second against the room",
                List.of("the live set does not grow further")),
            new Prediction(
                Hypothesis.MEMORY_PRESSURE,
                "heap x 2 = 1 GiB",
                Prediction.Quantity.LATENCY_P99,
                OptionalDouble.of(1.04e9),
                Optional.empty(),
                "the inputs do not say how long requests take",
                List.of())),
        Diagnosis.Hidden.NOTHING);
  }

  /** Nothing found, and next to nothing known. */
  public static Diagnosis healthy() {
    return bare(Conclusion.HEALTHY, Verdict.NOT_INDICATED, List.of());
  }

  /** Lost time, and nothing that says why. */
  public static Diagnosis undecided() {
    return bare(Conclusion.UNDECIDED, Verdict.NOT_ENOUGH_DATA, List.of(Signal.THREAD_PARKS));
  }

  /** The sample with other inputs. */
  public static Diagnosis withInputs(InputReport... inputs) {
    return with(List.of(inputs), SampleMetrics.all());
  }

  /** The sample with other figures: titles with what they were before and during. */
  public static Diagnosis withFigures(Map<String, double[]> figures) {
    return with(
        memoryPressure().inputs(),
        figures.entrySet().stream()
            .map(
                f ->
                    SampleMetrics.metric(
                        f.getKey(), f.getKey(), Unit.COUNT, f.getValue()[0], f.getValue()[1]))
            .toList());
  }

  /** The sample with these figures alone. */
  public static Diagnosis with(Metric... metrics) {
    return with(memoryPressure().inputs(), List.of(metrics));
  }

  /** One with these places where requests spend time. */
  public static Diagnosis passing(Station... stations) {
    Diagnosis d = memoryPressure();
    return with(d.inputs(), d.figures().metrics(), List.of(stations));
  }

  private static Diagnosis with(List<InputReport> inputs, List<Metric> metrics) {
    return with(inputs, metrics, List.of());
  }

  private static Diagnosis with(
      List<InputReport> inputs, List<Metric> metrics, List<Station> stations) {
    Diagnosis d = memoryPressure();
    return new Diagnosis(
        inputs,
        d.jvm(),
        d.windows(),
        d.conclusion(),
        d.told(),
        d.judgements(),
        d.lostTime(),
        d.inseparable(),
        d.crossChecks(),
        new Diagnosis.Figures(
            metrics,
            List.of(),
            stations,
            d.figures().slowRequests(),
            d.figures().allocation(),
            d.figures().cpu(),
            d.figures().collections(),
            d.figures().waiting(),
            d.figures().charts()),
        d.times(),
        d.limits(),
        d.predictions(),
        d.hidden());
  }

  /** What became of an input. */
  public static InputReport input(
      String file, String format, InputReport.Status status, String note) {
    return new InputReport(file, format, status, note);
  }

  private static Diagnosis bare(Conclusion conclusion, Verdict verdict, List<Signal> missing) {
    List<Judgement> judgements =
        Hypothesis.catalogue().stream()
            .map(
                hypothesis ->
                    new Judgement(
                        hypothesis,
                        verdict,
                        new Judgement.Share(OptionalDouble.empty(), Optional.empty()),
                        new Judgement.Rating(Optional.empty(), "", ""),
                        "nothing was seen that speaks for it",
                        List.of(),
                        missing,
                        List.of(),
                        Advice.NONE))
            .toList();
    return new Diagnosis(
        List.of(input("recording.jfr", "jfr", InputReport.Status.OK, "")),
        JvmFacts.unknown(),
        new Windows(INCIDENT, Optional.empty(), Windows.ChosenBy.WHOLE_RECORDING, true, ""),
        conclusion,
        Diagnosis.Told.of(""),
        judgements,
        Diagnosis.LostTime.NONE,
        List.of(),
        List.of(),
        new Diagnosis.Figures(
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            new AllocationSummary(
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                "",
                List.of(),
                List.of(),
                OptionalDouble.empty(),
                "nothing recorded",
                StackTree.none()),
            CpuSummary.none(),
            new GcSummary(0, 1, List.of(), List.of(), List.of(), 0, 0),
            StackTree.none(),
            List.of()),
        List.of(),
        List.of(),
        List.of(),
        Diagnosis.Hidden.NOTHING);
  }

  private static JvmFacts jvm() {
    return new JvmFacts(
        Optional.of("17.0.15"),
        Optional.of("G1"),
        Optional.of(Bytes.ofMebi(256)),
        Optional.of(Bytes.ofMebi(512)),
        OptionalInt.of(2),
        Optional.empty(),
        new TreeMap<>(Map.of()));
  }
}
