package io.gcdiag.accounts.heap;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.pauses.ExplicitCollection;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import java.util.List;

/**
 * Collections that the JDK requests itself, because direct buffers are at their limit: the memory
 * for these is full, and not a call of System.gc() too many.
 */
public final class DirectBufferCollections {

  private DirectBufferCollections() {}

  /** Whether most requests of the window are of that kind; no without a recording. */
  public static boolean areMost(Timeline timeline, Window window) {
    List<ExplicitCollection> calls = timeline.samples(ExplicitCollection.class, window);
    long own = calls.stream().filter(ExplicitCollection::forDirectBuffers).count();
    return own > Policy.MAJORITY * calls.size();
  }
}
