package io.gcdiag.rules;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.MachineMemory;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.Source;
import io.gcdiag.evidence.SwapSpace;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.Window;
import io.gcdiag.ledger.CollectorTimes;
import io.gcdiag.ledger.CpuUse;
import io.gcdiag.ledger.Effect;
import io.gcdiag.ledger.MachineLoad;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Asks whether the machine is out of memory, so that threads wait for pages that were swapped out.
 *
 * <p>No recording holds these waits. The collector shows them: it goes through all of the heap, and
 * its pauses then take far longer than the CPU time it uses in them, on a machine whose cores are
 * free. Below one core in use, a single collector thread that never waited would have been as fast.
 */
public final class SwapSpaceRule implements Rule {

  /** Collectors count CPU in steps of about 10 ms: less than ten steps say nothing. */
  private static final double LEAST_MEASURED_SECONDS = 0.1;

  /** What comes and goes in swap space on any machine in the course of minutes. */
  private static final Bytes RIPPLE = Bytes.ofMebi(16);

  /** Memory used up to here leaves room to swap nothing. */
  private static final double ROOM = 0.9;

  /** Less lost time than this share may be a wait for something else, such as the log's file. */
  private static final double NOTABLE = 0.25;

  @Override
  public String id() {
    return "swap-space";
  }

  @Override
  public Set<Signal> needs() {
    return Set.of(Signal.MACHINE_MEMORY);
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.of(Hypothesis.SWAPPING);
  }

  @Override
  public List<Finding> examine(Incident incident) {
    Timeline timeline = incident.timeline();
    List<SwapSpace> swap = timeline.samples(SwapSpace.class);
    List<MachineMemory> memory = timeline.samples(MachineMemory.class);
    if (swap.isEmpty()) {
      return memory.isEmpty() ? List.of() : byMemoryAlone(memory);
    }
    Bytes last = swap.get(swap.size() - 1).used();
    Bytes grown = last.minusOrZero(swap.get(0).used());
    double waited = waitedInPauses(timeline, incident.windows().incident());
    FindingBuilder finding =
        Finding.of(id(), sentence(swap, last, grown, memory) + collector(waited))
            .value("swapUsedBytes", last.value())
            .value("swapGrowthBytes", grown.value())
            .value("shareWaitedInPauses", waited)
            .from(swap.get(swap.size() - 1).source());
    memory.stream().findFirst().ifPresent(first -> finding.from(first.source()));
    boolean swapping = grown.compareTo(RIPPLE) > 0;
    if (last.compareTo(RIPPLE) <= 0) {
      finding.refutes(Hypothesis.SWAPPING);
    } else if (waited >= NOTABLE) {
      // Whatever was swapped out earlier is read again by the collector all the same.
      finding
          .explains(Hypothesis.SWAPPING, Effect.STOPPED, waited)
          .explains(Hypothesis.SWAPPING, Effect.UNACCOUNTED, swapping ? waited : 0)
          .supports(Hypothesis.SWAPPING);
    } else if (!swapping) {
      finding.weakens(Hypothesis.SWAPPING);
    } else {
      finding.supports(Hypothesis.SWAPPING);
    }
    return List.of(finding.build());
  }

  private static String sentence(
      List<SwapSpace> swap, Bytes last, Bytes grown, List<MachineMemory> memory) {
    List<String> parts = new ArrayList<>();
    memory.stream()
        .reduce((a, b) -> b)
        .ifPresent(m -> parts.add(m.used() + " of " + m.total() + " of memory are in use"));
    parts.add(
        swap.get(0).total().value() == 0
            ? "there is no swap space"
            : last + " of swap space are in use, " + grown + " more than at first");
    return String.join(", ", parts);
  }

  private static String collector(double waited) {
    return waited < NOTABLE
        ? ""
        : "; the collector's threads stood still for "
            + new Ratio(waited)
            + " of its pauses, on a machine with cores to spare";
  }

  /** What a machine has in memory it need not read from disk. */
  private List<Finding> byMemoryAlone(List<MachineMemory> memory) {
    double most =
        memory.stream()
            .filter(reading -> reading.total().value() > 0)
            .mapToDouble(reading -> (double) reading.used().value() / reading.total().value())
            .max()
            .orElse(1);
    Source source = memory.get(0).source();
    return most >= ROOM
        ? List.of()
        : List.of(
            Finding.of(id(), "at most " + new Ratio(most) + " of the machine's memory are in use")
                .value("memoryUsedShare", most)
                .from(source)
                .refutes(Hypothesis.SWAPPING)
                .build());
  }

  /** Share of the pauses in which not even one collector thread ran, though cores were free. */
  private static double waitedInPauses(Timeline timeline, Window window) {
    double real = CollectorTimes.of(timeline, window).realSeconds();
    double cpu = CollectorTimes.of(timeline, window).cpuSeconds();
    Optional<CpuUse> use = CpuUse.of(timeline, window);
    boolean crowded =
        use.filter(u -> u.others() >= MachineLoad.OTHERS_NEGLIGIBLE).isPresent()
            || MachineLoad.isFull(timeline, window);
    return crowded || real < LEAST_MEASURED_SECONDS ? 0 : Math.max(0, 1 - cpu / real);
  }
}
