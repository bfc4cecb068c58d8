package io.gcdiag.read.bytes;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Aligns uptimes, wall clocks and local times to one clock: the recording's, if there is one.
 *
 * <p>A log is aligned with a recording by the GC numbers that both have. Measured on HotSpot 17 and
 * 25, a collection's start by the recording minus its uptime by the log varies by 1 ms over a run,
 * while the JVM's start as stated in the recording is 20 to 50 ms late.
 */
public final class ClockAlignment {

  /**
   * If the offsets of common collections vary by more than this, log and recording are of different
   * JVMs.
   */
  private static final Duration SAME_JVM_SPREAD = Duration.ofSeconds(2);

  /** A smaller clock difference is not reported. */
  private static final Duration WORTH_A_NOTE = Duration.ofMillis(100);

  /** With whole-hour offsets, any time of the same day comes this close to another. */
  private static final Duration NEAR = Duration.ofMinutes(30);

  private static final int FIRST_HOUR = -12;
  private static final int LAST_HOUR = 14;
  private static final int HOUR_SECONDS = 3600;

  /** Offsets in use that are not whole hours (IANA time zone database 2024a), in minutes. */
  private static final List<Integer> ODD_MINUTES =
      List.of(-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825);

  /** Each chunk derives the JVM's start again, from a clock that may have been changed. */
  private static final Duration SAME_START = Duration.ofSeconds(2);

  private final Map<Long, Instant> recordedCollections = new HashMap<>();
  private final List<String> notes = new ArrayList<>();
  private Optional<Instant> jvmStart = Optional.empty();

  /** The file that stated the JVM's start. */
  private String jvmOf = "";

  private Optional<Window> span = Optional.empty();
  private Optional<Integer> zoneSeconds = Optional.empty();

  /**
   * A collection with its timestamp in a log.
   *
   * @param stamp its start by the log, as an offset from an origin that the caller knows
   */
  public record LoggedCollection(long gcId, Instant stamp) {}

  /**
   * The shift from a log's timestamps to the recording's.
   *
   * @param by the amount to add to them
   * @param collections number of collections that it is derived from
   * @param spread range of the middle half of their offsets
   */
  public record Shift(Duration by, int collections, Duration spread) {

    /** Whether log and recording can be of one run of the JVM. */
    public boolean mayBeOneRun() {
      return spread.compareTo(SAME_JVM_SPREAD) <= 0;
    }
  }

  public void recordedCollection(long gcId, Instant start) {
    recordedCollections.merge(gcId, start, (a, b) -> a.isBefore(b) ? a : b);
  }

  /** Whether a recording has collections, so that a log can be aligned with it. */
  public boolean recordsCollections() {
    return !recordedCollections.isEmpty();
  }

  /** Adds the JVM's start as a recording states it. */
  public void jvmStarted(String file, Instant start) {
    if (jvmStart.isEmpty()) {
      jvmStart = Optional.of(start);
      jvmOf = file;
    } else if (Duration.between(jvmStart.get(), start).abs().compareTo(SAME_START) > 0) {
      note(
          ("%s is of another run of a JVM than %s (started %s and %s): they are read as"
                  + " if they were one; analyse each alone, or compare them with gcdiag compare")
              .formatted(
                  file,
                  jvmOf,
                  start.truncatedTo(ChronoUnit.SECONDS),
                  jvmStart.get().truncatedTo(ChronoUnit.SECONDS)));
    }
  }

  /** Adds the time zone that a log states. */
  public void zone(ZoneOffset offset) {
    zoneSeconds = zoneSeconds.or(() -> Optional.of(offset.getTotalSeconds()));
  }

  /** Sets the span of everything with a timestamp so far. */
  void span(Window window) {
    span = Optional.of(window);
  }

  List<String> notes() {
    return List.copyOf(notes);
  }

  /**
   * How far a log's timestamps must be shifted to the recording's clock.
   *
   * @return the shift; empty if no collection is in both
   */
  public Optional<Shift> shiftToRecording(List<LoggedCollection> collections) {
    List<Duration> shifts =
        collections.stream()
            .filter(collection -> recordedCollections.containsKey(collection.gcId()))
            .map(
                collection ->
                    Duration.between(
                        collection.stamp(), recordedCollections.get(collection.gcId())))
            .sorted()
            .toList();
    if (shifts.isEmpty()) {
      return Optional.empty();
    }
    Duration middle = shifts.get(shifts.size() / 2);
    // The quartiles and not the extremes, because a recording's start of a concurrent cycle is that
    // of its first phase.
    Duration spread = shifts.get(shifts.size() * 3 / 4).minus(shifts.get(shifts.size() / 4));
    return Optional.of(new Shift(middle, shifts.size(), spread));
  }

  /** Adds a note on how a log was aligned with the recording. */
  public void noteShift(String file, Shift shift, boolean wallClock) {
    if (wallClock && shift.by().abs().compareTo(WORTH_A_NOTE) > 0) {
      notes.add(
          ("the clock of %s differs from the recording's by %s (from %s GCs that both"
                  + " hold); its times were shifted to the recording's clock")
              .formatted(file, Durations.format(shift.by().abs()), shift.collections()));
    }
  }

  /** The JVM's start, if a recording states it. */
  public Optional<Instant> jvmStart() {
    return jvmStart;
  }

  public void note(String note) {
    notes.add(note);
  }

  /**
   * The instant of a local time without a zone.
   *
   * <p>The zone is that of a log, if one states it. Otherwise it is UTC if the time is then inside
   * the known span. Otherwise it is the offset in use that brings the time into the span or closest
   * to it; of several, the one that brings it closest to the middle. If the time is of another day,
   * it is UTC.
   */
  public Instant ofLocal(String file, LocalDateTime local) {
    if (zoneSeconds.isPresent()) {
      return local.toInstant(ZoneOffset.ofTotalSeconds(zoneSeconds.get()));
    }
    Instant utc = local.toInstant(ZoneOffset.UTC);
    if (span.isEmpty()) {
      notes.add(file + " states its time without a zone; taken as UTC");
      return utc;
    }
    Window dated = span.get();
    if (dated.contains(utc)) {
      return utc;
    }
    Instant middle = dated.from().plus(dated.length().dividedBy(2));
    ZoneOffset zone =
        offsets().stream()
            .min(
                Comparator.comparing((ZoneOffset offset) -> distance(dated, local, offset))
                    .thenComparing(
                        offset -> Duration.between(local.toInstant(offset), middle).abs()))
            .orElse(ZoneOffset.UTC);
    if (distance(dated, local, zone).compareTo(NEAR) > 0) {
      notes.add(
          file
              + " states its time without a zone, and none brings it near to the other inputs;"
              + " taken as UTC");
      return utc;
    }
    if (!zone.equals(ZoneOffset.UTC)) {
      notes.add(
          file
              + " states its time without a zone; taken as UTC"
              + zone
              + ", which places it nearest to the other inputs");
    }
    return local.toInstant(zone);
  }

  /** The instant of a time with a date, if it has one. */
  public Optional<Instant> at(InputFile file, TimeText time) {
    return time.instant().or(() -> time.local().map(local -> ofLocal(file.name(), local)));
  }

  /**
   * The instant of a time of day, on the day that brings it closest to the known span. On the first
   * day of 1970 if there is no span, and empty if the time is in the span on several days.
   */
  public Optional<Instant> ofClock(LocalTime clock) {
    ZoneOffset zone = zoneOfClocks();
    if (span.isEmpty()) {
      return Optional.of(clock.atDate(LocalDate.EPOCH).toInstant(ZoneOffset.UTC));
    }
    Window dated = span.get();
    LocalDate first = dated.from().atOffset(zone).toLocalDate();
    LocalDate last = dated.to().atOffset(zone).toLocalDate();
    // All days that fit are consecutive, so if several do, two of these do.
    List<LocalDateTime> nearest =
        Stream.of(first, last)
            .flatMap(day -> Stream.of(day.minusDays(1), day, day.plusDays(1)))
            .distinct()
            .map(clock::atDate)
            .sorted(Comparator.comparing(local -> distance(dated, local, zone)))
            .toList();
    return distance(dated, nearest.get(1), zone).isZero()
        ? Optional.empty()
        : Optional.of(nearest.get(0).toInstant(zone));
  }

  /**
   * The same, without a span on the day that brings it closest to another time.
   *
   * @param near when its file was written
   */
  public Optional<Instant> ofClock(LocalTime clock, Optional<Instant> near) {
    if (span.isEmpty() && near.isPresent()) {
      LocalDate day = near.get().atOffset(zoneOfClocks()).toLocalDate();
      return Stream.of(day.minusDays(1), day, day.plusDays(1))
          .map(one -> clock.atDate(one).toInstant(zoneOfClocks()))
          .min(Comparator.comparing(at -> Duration.between(at, near.get()).abs()));
    }
    return ofClock(clock);
  }

  /**
   * The zone for times of day: that of a log that states one, otherwise UTC, because any time of
   * day would fit in some zone.
   */
  public ZoneOffset zoneOfClocks() {
    return zoneSeconds.map(ZoneOffset::ofTotalSeconds).orElse(ZoneOffset.UTC);
  }

  /** All offsets from UTC in use. */
  public static List<ZoneOffset> offsets() {
    List<ZoneOffset> offsets = new ArrayList<>();
    for (int hour = FIRST_HOUR; hour <= LAST_HOUR; hour++) {
      offsets.add(ZoneOffset.ofTotalSeconds(hour * HOUR_SECONDS));
    }
    ODD_MINUTES.forEach(minutes -> offsets.add(ZoneOffset.ofTotalSeconds(minutes * 60)));
    return offsets;
  }

  /** Distance of the local time in this zone from the window; zero inside. */
  private static Duration distance(Window window, LocalDateTime local, ZoneOffset zone) {
    Instant at = local.toInstant(zone);
    if (at.isBefore(window.from())) {
      return Duration.between(at, window.from());
    }
    return at.isBefore(window.to()) ? Duration.ZERO : Duration.between(window.to(), at);
  }
}
