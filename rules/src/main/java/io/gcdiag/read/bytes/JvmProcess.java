package io.gcdiag.read.bytes;

import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.UtcText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a file says of the process that it is of. Everything may be unknown.
 *
 * @param file the file's name
 * @param kind what the file is
 * @param facts version, collector, maximum heap; the start among them is not used
 * @param start when the process started
 * @param span the time that the file covers
 * @param application main class or jar; empty if unknown
 */
public record JvmProcess(
    String file,
    Kind kind,
    JvmFacts facts,
    Optional<Start> start,
    Optional<Window> span,
    String application) {

  /** What a file is; what was written by the JVM itself over some time comes first. */
  public enum Kind {
    RECORDING,
    LOG,
    DUMP,
    /** Flags, heap and version, as a command printed them. */
    STATEMENT
  }

  /**
   * When a process started.
   *
   * @param at the instant, or, if the zone is not known, the local time as if it were UTC
   * @param within how far it may be wrong
   * @param zoned whether the zone is known
   */
  public record Start(Instant at, Duration within, boolean zoned) {

    /** The clock of a machine that nothing corrects drifts by up to 100 ppm (quartz). */
    private static final double DRIFT = 100e-6;

    /** Offsets of time zones are multiples of a quarter of an hour (IANA time zone database). */
    private static final Duration ZONE_STEP = Duration.ofMinutes(15);

    /** From UTC-12 to UTC+14: two local times differ by no more. */
    private static final Duration WIDEST = Duration.ofHours(26);

    /**
     * The start of a process from a moment and how long it had run by then.
     *
     * @param resolution how exact the two are
     */
    public static Start before(
        Instant moment, Duration uptime, Duration resolution, boolean zoned) {
      Duration drift = Durations.ofSeconds(Durations.seconds(uptime) * DRIFT);
      return new Start(moment.minus(uptime), resolution.plus(drift), zoned);
    }

    /** Whether both can be the start of one process. */
    boolean agrees(Start other) {
      Duration apart = Duration.between(at, other.at).abs();
      Duration allowed = within.plus(other.within);
      if (apart.compareTo(allowed) <= 0) {
        return true;
      }
      if (zoned && other.zoned || apart.compareTo(WIDEST) > 0) {
        return false;
      }
      long beyond = apart.toNanos() % ZONE_STEP.toNanos();
      return Math.min(beyond, ZONE_STEP.toNanos() - beyond) <= allowed.toNanos();
    }

    @Override
    public String toString() {
      return UtcText.dayAndTime(at) + (zoned ? " UTC" : " local time");
    }
  }

  /**
   * Why this is not the process of another file, as words on this one; empty if it may be.
   *
   * @param main what another file says
   */
  Optional<String> differenceTo(JvmProcess main) {
    List<String> differences = new ArrayList<>();
    difference(facts.exactVersion(), main.facts.exactVersion(), "JDK ", differences);
    difference(family(), main.family(), "", differences);
    difference(
        facts.maxHeap().map(Bytes::toString),
        main.facts.maxHeap().map(Bytes::toString),
        "a maximum heap of ",
        differences);
    if (startsElsewhere(main) && !(differences.isEmpty() && mayFollow(main))) {
      differences.add("started " + start.orElseThrow() + ", not " + main.start.orElseThrow());
    }
    return differences.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", differences));
  }

  private static void difference(
      Optional<String> own, Optional<String> main, String before, List<String> differences) {
    if (own.isPresent() && main.isPresent() && !own.equals(main)) {
      differences.add(before + own.get() + ", not " + main.get());
    }
  }

  private boolean startsElsewhere(JvmProcess main) {
    return start.isPresent() && main.start.isPresent() && !start.get().agrees(main.start.get());
  }

  /** Whether one may be the other after a restart: the same program, and never both at a time. */
  private boolean mayFollow(JvmProcess other) {
    return kind == other.kind
        && application.equals(other.application)
        && span.isPresent()
        && other
            .span
            .filter(its -> its.overlap(span.get().from(), span.get().length()).isZero())
            .isPresent();
  }

  /** Whether both say the same of something that tells processes apart, and differ in nothing. */
  boolean isLike(JvmProcess other) {
    boolean same =
        start.isPresent() && other.start.isPresent()
            || facts.maxHeap().isPresent() && facts.maxHeap().equals(other.facts.maxHeap())
            || family().isPresent() && family().equals(other.family());
    return same && other.differenceTo(this).isEmpty();
  }

  /** All that decides which processes this one is like; equal for two that are so alike. */
  Object traits() {
    return List.of(
        facts.exactVersion(),
        family(),
        facts.maxHeap(),
        start,
        // Only where a start is known it matters when the file was written, and by what.
        start.isPresent() ? List.of(kind, span, application) : List.of());
  }

  /** The collector under one name: logs, recordings and thread names each have their own. */
  private Optional<String> family() {
    String name = facts.collector().orElse("").toLowerCase(Locale.ROOT);
    if (name.contains("shenandoah")) {
      return Optional.of("Shenandoah");
    }
    if (name.contains("cms") || name.contains("parnew")) {
      return Optional.of("ParNew + CMS");
    }
    for (String one : List.of("G1", "Parallel", "Serial", "Epsilon")) {
      if (name.startsWith(one.toLowerCase(Locale.ROOT))) {
        return Optional.of(one);
      }
    }
    return name.startsWith("z") || name.startsWith("the z ")
        ? Optional.of("ZGC")
        : Optional.empty();
  }
}
