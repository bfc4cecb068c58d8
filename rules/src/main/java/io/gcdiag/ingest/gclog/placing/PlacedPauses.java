package io.gcdiag.ingest.gclog.placing;

import io.gcdiag.evidence.pauses.GcPause;
import io.gcdiag.evidence.pauses.PauseColumns;
import io.gcdiag.evidence.pauses.PauseType;
import io.gcdiag.ingest.gclog.store.PackedPauses;

/**
 * The pauses of a log on the common clock, read where they lie packed.
 *
 * @param pauses all pauses of the log
 * @param dated those that have a time, by it
 * @param name the log's name
 */
record PlacedPauses(PackedPauses pauses, TimedIndex dated, String name) implements PauseColumns {

  @Override
  public int size() {
    return dated.size();
  }

  @Override
  public long start(int place) {
    return pauses.start(dated.of(place));
  }

  @Override
  public long nanos(int place) {
    return pauses.nanos(dated.of(place));
  }

  @Override
  public PauseType type(int place) {
    return pauses.type(dated.of(place));
  }

  @Override
  public boolean tellsHeap(int place) {
    return pauses.tellsHeap(dated.of(place));
  }

  @Override
  public long usedBefore(int place) {
    return pauses.usedBefore(dated.of(place));
  }

  @Override
  public long usedAfter(int place) {
    return pauses.usedAfter(dated.of(place));
  }

  @Override
  public long committedAfter(int place) {
    return pauses.committedAfter(dated.of(place));
  }

  @Override
  public String file(int place) {
    return name;
  }

  @Override
  public long line(int place) {
    return pauses.line(dated.of(place));
  }

  @Override
  public GcPause get(int place) {
    return pauses.placed(dated.of(place), name);
  }
}
