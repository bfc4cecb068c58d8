package io.gcdiag.advice;

import io.gcdiag.advice.Place.Part;
import io.gcdiag.advice.Place.Role;
import io.gcdiag.evidence.machine.CpuSample.CpuQuota;
import io.gcdiag.evidence.machine.CpuSample.ProcessList;
import io.gcdiag.measures.cores.CpuUse;
import io.gcdiag.measures.cores.MachineLoad;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.stream.Collectors;

/** What of the machine the service runs short of. */
record MachinePlaces(PlaceParts found) {

  /** Of other programs a few names are enough to go and look. */
  private static final int MOST_PROGRAMS = 3;

  void quota() {
    found.timeline().samples(CpuQuota.class).stream()
        .filter(one -> one.quota().isPresent())
        .reduce((first, last) -> last)
        .ifPresent(
            one ->
                found.add(
                    new Part(
                        Role.MACHINE, "CPU quota of the container", cores(one), one.source())));
  }

  static double coresOf(CpuQuota quota) {
    return Durations.seconds(quota.quota().orElse(Duration.ZERO))
        / Durations.seconds(quota.period());
  }

  static String cores(CpuQuota quota) {
    double cores = coresOf(quota);
    return Numbers.threeDigits(cores) + (cores == 1 ? " core" : " cores");
  }

  void programs() {
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
