package io.gcdiag.causes.cores;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.OwnPlaces;
import io.gcdiag.books.OwnPlaces.Seen;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.CrowdedCores;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.WakeDelay;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** The JVM's own work fills its cores. */
public final class CpuSaturationCause extends Cause {

  /** Class names for password hashing in Spring Security, jBCrypt, Bouncy Castle and others. */
  private static final Pattern PASSWORD_HASHING =
      Pattern.compile("(?i)bcrypt|scrypt|argon2|pbkdf2|PBEKeyFactory");

  public CpuSaturationCause() {
    super(
        Hypothesis.CPU_SATURATION,
        "CPU saturation by the service's own work",
        "profile the hot methods and do less of that work, or add cores; an "
            + "executor sized to the cores shortens the longest waits but serves no more "
            + "requests",
        List.of(new CpuDemandRule(), new CpuLoadRule(), new LateWakesRule()),
        Trait.LENGTHENS_PAUSES,
        Trait.SEEN_IN_CPU);
  }

  @Override
  public void place(PlaceParts found) {
    found.code(found.own().mostOfAll(Activity.RUNNING).or(found.own()::runningInDumps));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.code(less(suspect));
  }

  private static String less(SuspectContext suspect) {
    OwnPlaces places = new OwnPlaces(suspect.incident());
    String callee =
        suspect
            .place()
            .flatMap(any -> places.mostOfAll(Activity.RUNNING, spot -> true))
            .map(Seen::subject)
            .orElse("");
    if (PASSWORD_HASHING.matcher(callee).find()
        || PASSWORD_HASHING.matcher(places.mostRunInDumps()).find()) {
      return boundHashing(suspect.timeline().jvm().cpus());
    }
    if (callee.startsWith("java.util.regex.")) {
      return "simplify the regular expression (" + callee + "), the top of the CPU profile";
    }
    return callee.isEmpty()
        ? "do less here, at the top of the CPU profile"
        : "call " + callee + ", the top of the CPU profile, less often or make it cheaper";
  }

  /** More concurrent tasks than cores only wait for each other. */
  private static String boundHashing(OptionalInt cores) {
    return "password hashing is slow on purpose, keep its strength: let no more than "
        + (cores.isPresent()
            ? Numbers.counted(cores.getAsInt(), "of these call")
            : "one call a core")
        + " run at a time (a semaphore, or an executor of as many threads), limit the rate of logins"
        + " before it, or add cores";
  }

  @Override
  public int askedFirst() {
    return 4;
  }

  /**
   * Asks whether threads got a CPU when they needed one, by how late their timed waits ended. A
   * full machine alone does not show it: Linux's scheduler favours threads that slept, and other
   * processes may have a lower priority.
   */
  @Judges(
      value = {Hypothesis.HOST_CPU_CONTENTION, Hypothesis.CPU_SATURATION},
      needs = Signal.CPU_LOAD)
  static final class LateWakesRule implements Rule {

    @Override
    public List<Finding> examine(Case incident) {
      Optional<CpuUse> full = CrowdedCores.of(incident).map(CrowdedCores::then);
      Optional<WakeDelay> delay = WakeDelay.of(incident.timeline(), incident.window());
      return full.isPresent() && delay.isPresent()
          ? List.of(judge(incident, full.get(), delay.get()))
          : List.of();
    }

    private Finding judge(Incident incident, CpuUse use, WakeDelay delay) {
      Timeline timeline = incident.timeline();
      Optional<WakeDelay> before =
          incident.baseline().flatMap(baseline -> WakeDelay.of(timeline, baseline));
      FindingBuilder finding =
          Finding.of(
                  id(),
                  "%s: timed waits overran by %s on average%s"
                      .formatted(
                          delay.isLate()
                              ? "threads waited for CPU"
                              : "threads got CPU at once although the cores were full",
                          lateness(delay),
                          before
                              .map(baseline -> " (before: " + lateness(baseline) + ")")
                              .orElse("")))
              .figure(
                  "mean overrun of timed waits",
                  before.map(LateWakesRule::lateness),
                  lateness(delay))
              .value("waits", delay.waits())
              .value("meanLateSeconds", delay.meanSeconds())
              .value("meanLateSecondsBefore", Numbers.of(before, WakeDelay::meanSeconds))
              .from(delay.source());
      boolean others = use.others() >= MachineLoad.OTHERS_NEGLIGIBLE;
      if (!delay.isLate()) {
        finding.weakens(Hypothesis.HOST_CPU_CONTENTION);
      } else if (others && use.others() > use.service()) {
        boolean every = before.filter(baseline -> delaysAll(delay, baseline)).isPresent();
        finding.supports(Hypothesis.HOST_CPU_CONTENTION, every && !timeline.areRequestsMeasured());
      } else {
        finding.supports(Hypothesis.CPU_SATURATION);
      }
      return finding.build();
    }

    /**
     * Whether late wake-ups delay all requests. Each request starts by waking a thread, and that
     * thread waits for CPU like one whose timed wait ended.
     */
    private static boolean delaysAll(WakeDelay delay, WakeDelay baseline) {
      return LoadTestDelays.mayMultiply(delay.meanSeconds() - baseline.meanSeconds());
    }

    private static String lateness(WakeDelay delay) {
      return Durations.format(delay.meanSeconds());
    }
  }
}
