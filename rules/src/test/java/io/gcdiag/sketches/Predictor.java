package io.gcdiag.sketches;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Prediction;
import io.gcdiag.causes.Causes;
import io.gcdiag.causes.memory.HeapSizes;
import io.gcdiag.causes.memory.HeapUse;
import io.gcdiag.causes.workers.ScarceServers;
import io.gcdiag.causes.workers.ServerCounts;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.units.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Predictions of changes that a test made, whatever a report would propose.
 *
 * @param findings what the rules found
 */
public record Predictor(MeasuredIncident incident, List<Finding> findings) {

  /** What a report says of one suspect. */
  public List<Prediction> suspect(Hypothesis cause, OptionalDouble share) {
    return Causes.of(cause).predictions(incident, findings, share);
  }

  /** A heap of so many bytes from the start. */
  public List<Prediction> heap(Hypothesis cause, String change, Bytes heap) {
    return new HeapSizes(incident, cause, HeapUse.of(incident)).at(change, heap);
  }

  /** So many connections or threads; empty if rate, hold or their number now are not known. */
  public List<Prediction> servers(Hypothesis cause, int count) {
    return counts(cause).map(counts -> counts.at(count)).orElse(List.of());
  }

  /** The number wanted; empty if it is not known. */
  public Optional<ServerCounts.Wanted> wanted(Hypothesis cause) {
    return counts(cause).flatMap(ServerCounts::credible);
  }

  private Optional<ServerCounts> counts(Hypothesis cause) {
    Optional<ScarceServers> servers =
        cause == Hypothesis.THREAD_POOL_EXHAUSTED
            ? ScarceServers.threads(incident, findings)
            : ScarceServers.connections(incident);
    return servers.map(some -> new ServerCounts(incident, cause, some));
  }
}
