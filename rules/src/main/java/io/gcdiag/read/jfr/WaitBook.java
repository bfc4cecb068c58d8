package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.threads.AcceptedPorts;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.OverflowTime;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Books a wait wherever it counts: its site, in a name that hides secrets, its thread, what the
 * thread holds meanwhile.
 */
final class WaitBook {

  /**
   * A wait this long belongs to no request, or its length is damaged; its course would be kept in
   * some 900,000 steps.
   */
  static final long LONGEST_NANOS = Duration.ofDays(1).toNanos();

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** A service waits at some dozens of sites; a recording with more has names that never repeat. */
  private static final int MOST_SITES = 2_000;

  /** While these wait, their threads are in a native call. */
  private static final Set<String> IN_NATIVE =
      Set.of(
          WaitEvents.SOCKET_READ,
          WaitEvents.SOCKET_WRITE,
          WaitEvents.FILE_READ,
          WaitEvents.FILE_WRITE,
          WaitEvents.FILE_FORCE);

  private final String file;
  private final Redactor redactor;
  private final Map<WaitSite, WaitSeries.Builder> series = new HashMap<>();
  private final Map<String, String> shownNames = new HashMap<>();
  private final Stacks stacks;
  private final WaitCoverage coverage;
  private final LockHandovers handovers;
  private final PoolHolds holds;
  private final WorkerTimes workers;

  /** Nanoseconds, by second, that request threads wait at work an executor has no thread for. */
  private final Map<Long, Long> overflow = new TreeMap<>();

  private final Source source;

  WaitBook(
      String file,
      Redactor redactor,
      Stacks stacks,
      WaitCoverage coverage,
      LockHandovers handovers,
      PoolHolds holds,
      WorkerTimes workers) {
    this.file = file;
    this.redactor = redactor;
    source = new Source(file, "CallerRunsPolicy in stacks of waits");
    this.stacks = stacks;
    this.coverage = coverage;
    this.handovers = handovers;
    this.holds = holds;
    this.workers = workers;
  }

  /** The place where a stack waits for something of that name, by events of one type. */
  WaitPlace place(String event, StackKind kind, WaitKind wait, String name) {
    return new WaitPlace(
        kind, wait, shown(name), IN_NATIVE.contains(event), site -> series(site, event));
  }

  private WaitSeries.Builder series(WaitSite site, String event) {
    WaitSite kept =
        series.containsKey(site) || series.size() < MOST_SITES
            ? site
            : new WaitSite(site.kind(), "other sites", site.onRequestThread(), "");
    return series.computeIfAbsent(
        kept, key -> new WaitSeries.Builder(key, new Source(file, event)));
  }

  /** Names repeat with every event, and to look one through for secrets takes a while. */
  private String shown(String name) {
    if (shownNames.size() >= MOST_SITES) {
      shownNames.clear();
    }
    return shownNames.computeIfAbsent(name, redactor::redact);
  }

  /** Whether waits of that kind, and of that name or library unless it is a lock, were timed. */
  boolean has(WaitKind kind, String name) {
    return series.keySet().stream()
        .anyMatch(
            site ->
                site.kind() == kind
                    && (kind == WaitKind.LOCK
                        || site.name().equals(name)
                        || site.client().equals(name)));
  }

  boolean has(WaitKind kind) {
    return series.keySet().stream().anyMatch(site -> site.kind() == kind);
  }

  /** An event whose time has been counted, whatever it was for. */
  Event counted(Event event, boolean inNative) {
    coverage.count(event);
    Optional<EventThread> thread = event.thread();
    long length = event.lengthNanos();
    if (thread.isPresent() && isCredible(length)) {
      workers.whole.timed(thread.get(), event.startNanos(), length, inNative);
    }
    return event;
  }

  void wait(Event event, WaitPlace place) {
    Optional<EventThread> thread = event.thread();
    long start = event.startNanos();
    long length = event.lengthNanos();
    if (place.isIdle()) {
      // A thread that waits for new work has finished the old, however long it waits.
      if (thread.isPresent()) {
        holds.step(thread.get().id(), start, 0, place.step);
        if (isCredible(length)) {
          worked(place, thread.get(), start, length);
        }
      }
      return;
    }
    if (!isCredible(length)) {
      return;
    }
    span(event, place, thread, start, length);
    boolean named = thread.isPresent() && stacks.isRequestThread(thread.get().name());
    boolean serving = named || place.kind.requestThread();
    if (serving && place.kind.overflow()) {
      overflow.merge(Math.floorDiv(start, NANOS_PER_SECOND), length, Long::sum);
    }
    WaitSeries.Builder waits = place.series(serving);
    if (thread.isPresent()) {
      waits.add(start, length, thread.get().id());
    } else {
      waits.add(event.start(), Duration.ofNanos(length));
    }
  }

  /** Waits that the sampler of native calls also sees are left to it. */
  private void worked(WaitPlace place, EventThread thread, long start, long length) {
    if (!place.inNative) {
      if (place.isIdle() && stacks.isServerLoop(place.kind)) {
        workers.reserved(thread, start, length);
        return;
      }
      boolean serving = stacks.onRequestThread(place.kind, thread.name());
      workers.waited(thread, serving, start, length, place.waitsFor());
    }
  }

  private static boolean isCredible(long nanos) {
    return nanos >= 0 && nanos <= LONGEST_NANOS;
  }

  /**
   * What a thread does between two rounds of its own work; only threads that wait for it are
   * delayed.
   */
  void rest(Event event, WaitPlace place) {
    span(event, place, event.thread(), event.startNanos(), event.lengthNanos());
  }

  /** Remembers what the thread does, because it may hold what others wait for. */
  private void span(
      Event event, WaitPlace place, Optional<EventThread> thread, long start, long length) {
    if (thread.isEmpty() || !isCredible(length)) {
      return;
    }
    long id = thread.get().id();
    worked(place, thread.get(), start, length);
    handovers.spans.add(id, start, length, place.doing);
    holds.step(id, start, length, place.step);
    if (place.waitsFor() == WaitKind.POOL) {
      holds.borrowed(id, start, length, place.what(), place.kind, event.type());
    }
  }

  /** Remembers which thread got a lock after which. */
  void handover(Event event, WaitPlace place, OptionalLong previousOwner) {
    OptionalLong address = event.number("address");
    Optional<EventThread> thread = event.thread();
    long length = event.lengthNanos();
    if (thread.isPresent() && address.isPresent() && isCredible(length)) {
      handovers.add(
          event.type(),
          place.what(),
          address.getAsLong(),
          event.startNanos(),
          length,
          thread.get().id(),
          previousOwner);
    }
  }

  void finish(TimelineBuilder timeline) {
    Set<WaitSite> accepted = accepted();
    series.forEach(
        (site, builder) -> {
          if (!accepted.contains(site)) {
            timeline.waits(builder.build());
          }
        });
    overflow.forEach(
        (second, nanos) ->
            timeline.sample(
                new OverflowTime(Instant.ofEpochSecond(second), Duration.ofNanos(nanos), source)));
  }

  /**
   * Reads of no known client at one place in code from many ports that systems give to connections
   * they open: the service accepted these connections and waits for its callers' next requests.
   */
  private Set<WaitSite> accepted() {
    Map<List<String>, Set<WaitSite>> byPlace = new HashMap<>();
    for (WaitSite site : series.keySet()) {
      if (site.kind() == WaitKind.DOWNSTREAM
          && site.client().isEmpty()
          && AcceptedPorts.isEphemeral(site.name())) {
        byPlace
            .computeIfAbsent(
                List.of(AcceptedPorts.host(site.name()), site.stack()), any -> new HashSet<>())
            .add(site);
      }
    }
    return byPlace.values().stream()
        .filter(sites -> AcceptedPorts.areCallers(sites.stream().map(WaitSite::name).toList()))
        .flatMap(Set::stream)
        .collect(Collectors.toSet());
  }
}
