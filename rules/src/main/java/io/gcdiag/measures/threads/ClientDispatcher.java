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
 * A client that makes asynchronous calls on threads of its own, and starts only so many at a time:
 * OkHttp's dispatcher. What is beyond its limit waits in its queue, without a thread.
 *
 * <p>Its threads bear the client's name. By dumps the threads that are in calls are the limit; a
 * recording's samples tell how many are in calls on average, which is at the limit if it is the one
 * that the client has unless another is set.
 *
 * @param client the client's name, as stacks tell it
 * @param calls how many of its threads are in calls on average
 */
public record ClientDispatcher(String client, double calls) {

  /**
   * Calls to one host, and in all ({@code okhttp3.Dispatcher}, maxRequestsPerHost, maxRequests).
   */
  private static final List<Integer> USUAL_LIMITS = List.of(5, 64);

  /** As the frames of clients are named. */
  private static final String OKHTTP = "OkHttp";

  /** The client whose own threads these are, all of them in its calls; absent if they are none. */
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

  /** The one that is at its limit by the recording's samples, if one is. */
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

  /** The usual limit that its calls are at. */
  Optional<Integer> limit() {
    return USUAL_LIMITS.stream()
        .filter(
            limit ->
                calls >= (1 - Policy.SAMPLES_GOOD_TO) * limit
                    && calls <= (1 + Policy.NOTABLE) * limit)
        .findFirst();
  }
}
