package io.gcdiag.evidence.heap;

import io.gcdiag.evidence.heap.HeapSample.Moment;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.units.Nanos;
import java.util.List;

/** The columns of samples that are there as objects, as those of recordings are. */
record ListedHeap(List<HeapSample> samples) implements HeapColumns {

  @Override
  public int size() {
    return samples.size();
  }

  @Override
  public long at(int place) {
    return Nanos.since1970(samples.get(place).at());
  }

  @Override
  public Moment moment(int place) {
    return samples.get(place).moment();
  }

  @Override
  public long used(int place) {
    return samples.get(place).used().value();
  }

  @Override
  public long committed(int place) {
    return samples.get(place).committed().value();
  }

  @Override
  public String file(int place) {
    return samples.get(place).source().file();
  }

  @Override
  public long line(int place) {
    return samples.get(place).source().line().orElse(Source.NO_LINE);
  }

  @Override
  public HeapSample get(int place) {
    return samples.get(place);
  }
}
