package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.CallPart;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.TimeOrder;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Threads that wait for a connection to a remote host to be established, or for its address to be
 * resolved. Both normally take a moment, and last until the timeout if there is no answer. No event
 * records it, only samples of threads in native calls and thread dumps.
 */
public final class ConnectWaits {

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

  /**
   * The waits that samples show: of request threads, if any are known, otherwise of all threads.
   */
  public static ConnectWaits of(Timeline timeline) {
    return new ConnectWaits(
        SampledTime.ofUsers(timeline.samples(SampledTime.class)).stream()
            .filter(ConnectWaits::is)
            .toList());
  }

  /** Threads that wait, on average. */
  public double threads(Window window) {
    return Numbers.sum(sites(window));
  }

  /** Threads that wait, on average, by client. */
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

  private Stream<SampledTime> touching(Window window) {
    Window begun = new Window(window.from().minus(longest), window.to());
    return TimeOrder.within(samples, SampledTime::at, begun).stream()
        .filter(sample -> sample.at().plus(sample.length()).isAfter(window.from()));
  }

  /** Threads that wait in the incident, on average; from dumps if calls are counted from dumps. */
  public static double during(Incident incident, boolean byDumps) {
    Window window = incident.window();
    return byDumps
        ? DumpTimes.running(incident.timeline(), window) * inDumps(incident)
        : of(incident.timeline()).threads(window);
  }

  /** Whether the sampled thread was connecting or resolving an address. */
  static boolean is(SampledTime sample) {
    return sample.waitsFor(WaitKind.DOWNSTREAM) && CallPart.isUnrecorded(sample.name());
  }

  /** Threads on average in the dumps of the incident; 0 without any. */
  public static double inDumps(Incident incident) {
    return DumpTimes.during(incident).stream().mapToLong(ConnectWaits::inDump).average().orElse(0);
  }

  /** Request threads of a dump that are connecting or resolving an address. */
  static long inDump(ThreadSnapshot dump) {
    List<ThreadState> users = dump.showsRequests() ? dump.requestThreads() : dump.threads();
    return users.stream()
        .filter(thread -> thread.is(ThreadActivity.IN_DOWNSTREAM_CALL))
        .filter(thread -> CallPart.isUnrecorded(thread.subject()))
        .count();
  }
}
