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
 * What a file states about its process. Everything may be unknown.
 *
 * @param facts version, collector, maximum heap; its start is not used
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

  /** The kind of file; files that the JVM itself wrote over some time come first. */
  public enum Kind {
    RECORDING,
    LOG,
    DUMP,
    /** Output of a command with flags, heap or version. */
    STATEMENT
  }

  /**
   * When a process started.
   *
   * @param at the instant; if the zone is unknown, the local time as if it were UTC
   * @param within its possible error
   * @param zoned whether the zone is known
   */
  public record Start(Instant at, Duration within, boolean zoned) {

    /** A machine's clock that is not synchronised drifts by up to 100 ppm (quartz). */
    private static final double DRIFT = 100e-6;

    /** Offsets of time zones are multiples of a quarter of an hour (IANA time zone database). */
    private static final Duration ZONE_STEP = Duration.ofMinutes(15);

    /** Two local times differ by at most this, from UTC-12 to UTC+14. */
    private static final Duration WIDEST = Duration.ofHours(26);

    /**
     * The start of a process from a time and its uptime at that time.
     *
     * @param resolution the resolution of both values
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
   * Why this is not the process of another file, in words about this one; empty if it may be.
   *
   * @param main the process of the other file
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
    if (start.isPresent()
        && main.start.isPresent()
        && !start.get().agrees(main.start.get())
        && !(differences.isEmpty() && mayFollow(main))) {
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

  /**
   * Whether one may be the other after a restart: it is the same program, and they never ran at the
   * same time.
   */
  private boolean mayFollow(JvmProcess other) {
    return kind == other.kind
        && application.equals(other.application)
        && span.isPresent()
        && other
            .span
            .filter(its -> its.overlap(span.get().from(), span.get().length()).isZero())
            .isPresent();
  }

  /** Whether both state an equal value that distinguishes processes, and no value differs. */
  boolean isLike(JvmProcess other) {
    boolean same =
        start.isPresent() && other.start.isPresent()
            || facts.maxHeap().isPresent() && facts.maxHeap().equals(other.facts.maxHeap())
            || family().isPresent() && family().equals(other.family());
    return same && other.differenceTo(this).isEmpty();
  }

  /** Everything that decides which processes this one is like; equal keys are treated as equal. */
  Object traits() {
    return List.of(
        facts.exactVersion(),
        family(),
        facts.maxHeap(),
        start,
        // The time and the kind of file matter only if the start is known.
        start.isPresent() ? List.of(kind, span, application) : List.of());
  }

  /** The collector under one name; logs, recordings and thread names each use their own. */
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
