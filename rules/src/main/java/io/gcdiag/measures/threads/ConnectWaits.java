package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.UnrecordedCall;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.TimeOrder;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Threads that wait to be connected to a remote host, or for its address. Either takes a moment
 * where all is well, and as long as its timeout where there is no answer. No event records it: only
 * samples of threads in native calls and thread dumps do.
 */
public final class ConnectWaits {

  /** All such samples, by time. */
  private final List<SampledTime> samples;

  private final Duration longest;

  private ConnectWaits(List<SampledTime> samples) {
    this.samples = samples;
    longest =
        samples.stream()
            .map(SampledTime::length)
            .max(Comparator.naturalOrder())
            .orElse(Duration.ZERO);
  }

  /** Those that samples show: of threads that serve users, where any is known to. */
  public static ConnectWaits of(Timeline timeline) {
    return new ConnectWaits(
        SampledTime.ofUsers(timeline.samples(SampledTime.class)).stream()
            .filter(ConnectWaits::is)
            .toList());
  }

  /** Threads on average. */
  public double threads(Window window) {
    return Numbers.sum(sites(window));
  }

  /** The same by client. */
  public Map<String, Double> sites(Window window) {
    Map<String, Double> sites = new TreeMap<>();
    touching(window)
        .forEach(
            sample -> {
              Duration inside = window.overlap(sample.at(), sample.length());
              double part = inside.toNanos() / (double) window.length().toNanos();
              sites.merge(sample.name(), sample.threads() * part, Double::sum);
            });
    sites.values().removeIf(threads -> threads <= 0);
    return sites;
  }

  /** Threads by the second, with a zero where samples of a stretch end. */
  public NavigableMap<Instant, Double> overTime() {
    NavigableMap<Instant, Double> threads = new TreeMap<>();
    samples.forEach(one -> threads.merge(one.at(), one.threads(), Double::sum));
    for (SampledTime sample : samples) {
      threads.putIfAbsent(sample.at().minus(sample.length()), 0.0);
      threads.putIfAbsent(sample.at().plus(sample.length()), 0.0);
    }
    return threads;
  }

  private Stream<SampledTime> touching(Window window) {
    Window begun = new Window(window.from().minus(longest), window.to());
    return TimeOrder.within(samples, SampledTime::at, begun).stream()
        .filter(sample -> sample.at().plus(sample.length()).isAfter(window.from()));
  }

  /** Threads on average in the incident, by dumps where these are what calls are counted by. */
  public static double during(Incident incident, boolean byDumps) {
    Window window = incident.window();
    return byDumps
        ? DumpTimes.running(incident.timeline(), window) * inDumps(incident)
        : of(incident.timeline()).threads(window);
  }

  /** Whether a sample found a thread at that. */
  static boolean is(SampledTime sample) {
    return sample.waitsFor(WaitKind.DOWNSTREAM) && UnrecordedCall.is(sample.name());
  }

  /** Threads on average in the dumps of the incident; 0 without any. */
  public static double inDumps(Incident incident) {
    return DumpTimes.during(incident).stream().mapToLong(ConnectWaits::inDump).average().orElse(0);
  }

  /** Request threads that are at that in a dump. */
  static long inDump(ThreadSnapshot dump) {
    List<ThreadState> users = dump.showsRequests() ? dump.requestThreads() : dump.threads();
    return users.stream()
        .filter(thread -> thread.is(ThreadActivity.IN_DOWNSTREAM_CALL))
        .filter(thread -> UnrecordedCall.is(thread.subject()))
        .count();
  }
}
