package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * OkHttp's dispatcher: it makes asynchronous calls on its own threads and starts only a limited
 * number at a time. Further calls wait in its queue, without a thread.
 *
 * <p>Its threads have the client's name. In a dump, the number of threads in calls is the limit. In
 * a recording, samples show the average number of calls in progress; the dispatcher is at its limit
 * if that number is one of its default limits.
 *
 * @param client the client's name, from the stacks
 * @param calls how many of its threads are in calls on average
 */
public record ClientDispatcher(String client, double calls) {

  /**
   * Default limits per host and in total ({@code okhttp3.Dispatcher}, maxRequestsPerHost,
   * maxRequests).
   */
  private static final List<Integer> USUAL_LIMITS = List.of(5, 64);

  /** The name of the client in the table of frames. */
  private static final String OKHTTP = "OkHttp";

  /** The client that owns these threads, if all of them are in its calls. */
  public static Optional<String> of(List<ThreadState> group) {
    return group.stream()
        .map(ThreadState::subject)
        .findFirst()
        .filter(OKHTTP::equals)
        .filter(
            client ->
                group.stream()
                    .allMatch(
                        thread ->
                            !thread.requestThread()
                                && thread.is(ThreadActivity.IN_DOWNSTREAM_CALL)
                                && thread.subject().equals(client)
                                && thread.name().startsWith(client)));
  }

  /** The dispatcher that samples show at its limit, if any. */
  static Optional<ClientDispatcher> atLimit(Incident incident) {
    Window window = incident.window();
    Map<String, Double> inCalls = new TreeMap<>();
    for (SampledTime sample : incident.timeline().samples(SampledTime.class, window)) {
      boolean own =
          !sample.onRequestThread()
              && sample.name().equals(OKHTTP)
              && sample.group().startsWith(sample.name())
              && sample.waitsFor(WaitKind.DOWNSTREAM);
      if (own) {
        inCalls.merge(sample.name(), sample.seconds() / window.seconds(), Double::sum);
      }
    }
    return inCalls.entrySet().stream()
        .map(client -> new ClientDispatcher(client.getKey(), client.getValue()))
        .filter(one -> one.limit().isPresent())
        .findFirst();
  }

  /** The default limit that the calls in progress match. */
  Optional<Integer> limit() {
    return USUAL_LIMITS.stream()
        .filter(
            limit ->
                calls >= (1 - Policy.SAMPLES_GOOD_TO) * limit
                    && calls <= (1 + Policy.NOTABLE) * limit)
        .findFirst();
  }
}
