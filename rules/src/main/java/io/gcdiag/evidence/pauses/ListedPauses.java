package io.gcdiag.evidence.pauses;

import io.gcdiag.evidence.heap.HeapChange;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.units.Nanos;
import java.util.List;

/** The columns of pauses that are there as objects, as those of recordings are. */
record ListedPauses(List<GcPause> pauses) implements PauseColumns {

  @Override
  public int size() {
    return pauses.size();
  }

  @Override
  public long start(int place) {
    return Nanos.since1970(pauses.get(place).start());
  }

  @Override
  public long nanos(int place) {
    return Nanos.of(pauses.get(place).duration());
  }

  @Override
  public PauseType type(int place) {
    return pauses.get(place).type();
  }

  @Override
  public boolean tellsHeap(int place) {
    return pauses.get(place).heap().isPresent();
  }

  @Override
  public long usedBefore(int place) {
    return heap(place).usedBefore().value();
  }

  @Override
  public long usedAfter(int place) {
    return heap(place).usedAfter().value();
  }

  @Override
  public long committedAfter(int place) {
    return heap(place).committedAfter().value();
  }

  private HeapChange heap(int place) {
    return pauses.get(place).heap().orElseThrow();
  }

  @Override
  public String file(int place) {
    return pauses.get(place).source().file();
  }

  @Override
  public long line(int place) {
    return pauses.get(place).source().line().orElse(Source.NO_LINE);
  }

  @Override
  public GcPause get(int place) {
    return pauses.get(place);
  }
}
