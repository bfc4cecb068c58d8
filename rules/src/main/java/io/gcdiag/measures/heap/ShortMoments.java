package io.gcdiag.measures.heap;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.pauses.Pauses;
import io.gcdiag.evidence.time.Window;

/**
 * What it cost that a heap in which little lives was short of memory for moments: collections come
 * as often as what is free fills up, so a heap that had as much free as is wanted would have had
 * fewer of those that left less.
 */
final class ShortMoments {

  private ShortMoments() {}

  /**
   * Seconds stopped that the wanted room would have saved.
   *
   * @param wanted share of a heap that should be free after a collection, more than 0, less than 1
   */
  static double seconds(Timeline timeline, Window window, double wanted) {
    Pauses pauses = timeline.pauses(window);
    double seconds = 0;
    for (int i = 0; i < pauses.size(); i++) {
      if (pauses.tellsHeap(i) && CollectionTrigger.isOrdinary(pauses.type(i))) {
        double used = pauses.usedAfter(i);
        double free = pauses.committedAfter(i) - used;
        double enough = used * wanted / (1 - wanted);
        seconds += enough > free ? pauses.seconds(i) * (1 - free / enough) : 0;
      }
    }
    return seconds;
  }
}
