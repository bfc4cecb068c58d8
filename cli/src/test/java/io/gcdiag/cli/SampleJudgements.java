package io.gcdiag.cli;

import io.gcdiag.books.Advice;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.Causes;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.verdict.Confidence;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What the sample diagnosis says of each hypothesis. */
final class SampleJudgements {

  private SampleJudgements() {}

  /** One of each verdict, with evidence; the rest of the catalogue is not indicated. */
  static List<Judgement> all() {
    List<Judgement> judgements = new ArrayList<>();
    judgements.add(
        new Judgement(
            Hypothesis.MEMORY_PRESSURE,
            Verdict.PRIMARY_SUSPECT,
            new Judgement.Share(OptionalDouble.of(0.81), Optional.empty()),
            new Judgement.Rating(Optional.of(Confidence.HIGH), "", ""),
            "free ratio 21.1 % is below MinHeapFreeRatio 40 %; collections +14.3 % but pause sum"
                + " +305.8 %, so that each pause grew",
            List.of(freeRatio(), pauseGrowth()),
            List.of(),
            List.of("raise the heap: -Xms2g -Xmx2g, then measure again"),
            Advice.NONE));
    judgements.add(
        judgement(
            Hypothesis.CPU_SATURATION,
            Verdict.CONTRIBUTING,
            OptionalDouble.of(0.1),
            "machine at 90 %",
            Finding.of("cpu-load", "The machine's cores were 90 % busy, most of it in this JVM")
                .value("machineLoad", 0.9)
                .from(new Source("recording.jfr", "jdk.CPULoad"))
                .supports(Hypothesis.CPU_SATURATION)
                .build()));
    judgements.add(unjudged(Hypothesis.SWAPPING, Verdict.NOT_ENOUGH_DATA, "nothing tells of it"));
    judgements.add(
        judgement(
            Hypothesis.CONNECTION_POOL_UNDERSIZED,
            Verdict.RULED_OUT,
            OptionalDouble.of(0),
            "3.51 of 10 connections needed; usage time unchanged",
            Finding.of("pool-demand", "The load needs 3.51 connections of 10")
                .sum("813/s x 4.32 ms = 3.51 connections")
                .value("connectionsNeeded", 3.51216)
                .value("poolSize", 10)
                .from(new Source("command line", ""))
                .refutes(Hypothesis.CONNECTION_POOL_UNDERSIZED)
                .build()));
    for (Hypothesis hypothesis : Hypothesis.catalogue()) {
      if (judgements.stream().noneMatch(j -> j.hypothesis() == hypothesis)) {
        judgements.add(
            unjudged(hypothesis, Verdict.NOT_INDICATED, "nothing was seen that speaks for it"));
      }
    }
    return judgements;
  }

  private static Judgement judgement(
      Hypothesis hypothesis, Verdict verdict, OptionalDouble share, String reason, Finding found) {
    return new Judgement(
        hypothesis,
        verdict,
        new Judgement.Share(share, Optional.empty()),
        new Judgement.Rating(Optional.of(Confidence.MEDIUM), "", ""),
        reason,
        List.of(found),
        List.of(Signal.THREAD_PARKS),
        verdict == Verdict.RULED_OUT ? List.of() : List.of(Causes.of(hypothesis).firstAction()),
        Advice.NONE);
  }

  private static Judgement unjudged(Hypothesis hypothesis, Verdict verdict, String reason) {
    return new Judgement(
        hypothesis,
        verdict,
        new Judgement.Share(OptionalDouble.empty(), Optional.empty()),
        new Judgement.Rating(Optional.empty(), "", ""),
        reason,
        List.of(),
        List.of(),
        List.of(),
        Advice.NONE);
  }

  private static Finding freeRatio() {
    return Finding.of("heap-free-ratio", "Too little of the heap was free after collections")
        .sum("(256 MiB - 202 MiB) / 256 MiB = 21.1 %")
        .sum("21.1 % < 40 % (MinHeapFreeRatio)")
        .value("freeRatio", 0.2109375)
        .from(new Source("recording.jfr", "jdk.GCHeapSummary 01:14:08"))
        .explains(Hypothesis.MEMORY_PRESSURE, Effect.STOPPED, 1)
        .build();
  }

  private static Finding pauseGrowth() {
    return Finding.of("gc-pause-growth", "Pauses grew longer, not just more frequent")
        .sum("1.25 s / 308 ms - 1 = +305.8 %")
        .value("pauseSumGrowth", 3.0584415584415585)
        .value("notMeasured", Double.NaN)
        .from(Source.line("gc.log", 1204))
        .supports(Hypothesis.MEMORY_PRESSURE)
        .build();
  }
}
