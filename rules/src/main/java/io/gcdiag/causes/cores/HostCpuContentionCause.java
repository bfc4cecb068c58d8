package io.gcdiag.causes.cores;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.units.Ratio;
import java.util.List;

/** Other processes take the CPU. */
public final class HostCpuContentionCause extends Cause {

  public HostCpuContentionCause() {
    super(
        Hypothesis.HOST_CPU_CONTENTION,
        "Other processes take the CPU",
        "find the other process, or move the service",
        List.of(),
        Trait.LENGTHENS_PAUSES);
  }

  @Override
  public void place(PlaceParts found) {
    CpuUse.of(found.timeline(), found.window())
        .ifPresent(
            use ->
                found.add(
                    new Part(
                        Role.MACHINE,
                        "other programs on the machine",
                        new Ratio(use.others()) + " of its CPUs",
                        MachineLoad.source(found.timeline()))));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect
        .at(Role.MACHINE)
        .map(
            part ->
                suspect.infrastructure(
                    part.name(),
                    "stop the one that uses the CPU (pidstat 1 shows it), or move it or the"
                        + " service to another machine"))
        .orElse(List.of());
  }

  @Override
  public int askedFirst() {
    return 6;
  }
}
