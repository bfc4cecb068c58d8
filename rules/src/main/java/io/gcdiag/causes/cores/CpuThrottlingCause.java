package io.gcdiag.causes.cores;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.measures.jvm.Throttling;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A CPU quota stops the JVM. */
public final class CpuThrottlingCause extends Cause {
  public CpuThrottlingCause() {
    super(
        Hypothesis.CPU_THROTTLING,
        "Throttling by the container's CPU quota",
        "raise the container's CPU limit or remove it; or make the work less "
            + "bursty: fewer collector threads (-XX:ParallelGCThreads) and worker "
            + "threads at once",
        Trait.SEEN_IN_CPU);
  }

  @Override
  public List<Rule> rules() {
    return List.of(new CpuQuotaRule());
  }

  @Override
  public void place(PlaceParts found) {
    Throttling.quota(found.timeline())
        .ifPresent(
            one ->
                found.add(
                    new Part(Role.MACHINE, "CPU quota of the container", text(one), one.source())));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return Throttling.quota(suspect.timeline())
        .map(
            quota ->
                List.of(
                    Edit.infrastructure(
                        "CPU limit of the container",
                        Optional.of(text(quota)),
                        "remove it, or raise it"
                            + suspect.timeline().jvm().cpus().stream()
                                .filter(cpus -> cpus > cores(quota))
                                .mapToObj(cpus -> " to " + Numbers.counted(cpus, "core"))
                                .findFirst()
                                .orElse(""),
                        suspect.why())))
        .orElse(List.of());
  }

  private static double cores(CpuQuota quota) {
    return Durations.seconds(quota.quota().orElse(Duration.ZERO))
        / Durations.seconds(quota.period());
  }

  private static String text(CpuQuota quota) {
    double cores = cores(quota);
    return Numbers.threeDigits(cores) + (cores == 1 ? " core" : " cores");
  }
}
