package io.gcdiag.causes.cores;

import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.CpuSample.ProcessList;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.stream.Collectors;

/** What of the machine the service runs short of. */
public record MachinePlaces(PlaceParts found) {

  /** Of other programs a few names are enough to go and look. */
  private static final int MOST_PROGRAMS = 3;

  public void quota() {
    found.timeline().samples(CpuQuota.class).stream()
        .filter(one -> one.quota().isPresent())
        .reduce((first, last) -> last)
        .ifPresent(
            one ->
                found.add(
                    new Part(
                        Role.MACHINE, "CPU quota of the container", cores(one), one.source())));
  }

  public static double coresOf(CpuQuota quota) {
    return Durations.seconds(quota.quota().orElse(Duration.ZERO))
        / Durations.seconds(quota.period());
  }

  public static String cores(CpuQuota quota) {
    double cores = coresOf(quota);
    return Numbers.threeDigits(cores) + (cores == 1 ? " core" : " cores");
  }

  public void programs() {
    CpuUse.of(found.timeline(), found.window())
        .ifPresent(
            use ->
                found.add(
                    new Part(
                        Role.MACHINE,
                        "other programs on the machine",
                        new Ratio(use.others()) + " of its CPUs",
                        MachineLoad.source(found.timeline()))));
    found.timeline().samples(ProcessList.class).stream()
        .reduce((first, last) -> last)
        .filter(list -> !list.programs().isEmpty())
        .ifPresent(
            list ->
                found.add(
                    new Part(
                        Role.PROGRAM,
                        list.programs().stream()
                            .limit(MOST_PROGRAMS)
                            .map(ProcessList.Program::name)
                            .collect(Collectors.joining(" or ")),
                        "started last beside the service",
                        list.source())));
  }
}
