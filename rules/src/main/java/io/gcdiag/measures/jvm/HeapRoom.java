package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.HeapSample;
import io.gcdiag.evidence.jvm.HeapSample.Moment;
import io.gcdiag.evidence.jvm.HeapSamples;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Ratio;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Free memory after GC in one window.
 *
 * @param typical the sample after GC with the median free ratio
 * @param freeRatio free share of the committed heap in that sample, 0 to 1
 * @param freeOfMax free share of the maximum heap size in that sample, if that size is known
 * @param samples number of collections
 */
public record HeapRoom(
    HeapSample typical, Ratio freeRatio, Optional<Ratio> freeOfMax, int samples) {

  /** The flag for the free share that HotSpot wants after a full GC. */
  public static final String FLAG = "MinHeapFreeRatio";

  /**
   * HotSpot's default of {@value #FLAG} (gc_globals.hpp) for the collectors that use it. Parallel
   * sets it to 0 unless it is given, and then sizes its heap by other rules only.
   */
  public static final Ratio DEFAULT_WANTED = Ratio.ofPercent(40);

  /**
   * Collectors that size the heap by other rules (each collector's policy in HotSpot's sources).
   */
  private static final Set<String> SIZED_OTHERWISE = Set.of("ZGC", "Shenandoah");

  /**
   * Collectors that resize the old generation by it (TenuredGeneration::compute_new_size, CMS
   * alike).
   */
  private static final Set<String> OLD_GENERATION = Set.of("Serial", "CMS");

  /** Uses it for the old generation, but only if the flag is given (psAdaptiveSizePolicy). */
  private static final String PARALLEL = "Parallel";

  /**
   * The free share that the heap should have.
   *
   * @param text the flag and where its value is from, for people
   * @param source where it was read, if it was
   */
  public record Wanted(Ratio ratio, String text, Optional<Source> source) {

    /**
     * From the flag if the inputs have it, otherwise HotSpot's default, with a text that says so.
     */
    public static Wanted of(JvmFacts jvm) {
      Optional<Flag> flag = jvm.flag(FLAG);
      double stated = jvm.number(FLAG).orElse(0);
      List<String> remarks = new ArrayList<>();
      if (stated <= 0) {
        remarks.add(flag.isPresent() ? "HotSpot's default" : "default");
      }
      jvm.collector()
          .filter(name -> SIZED_OTHERWISE.contains(name) || (name.equals(PARALLEL) && stated <= 0))
          .or(() -> flag.filter(zero -> stated <= 0).map(zero -> "this collector"))
          .ifPresent(name -> remarks.add(name + " does not use the flag"));
      jvm.collector()
          .filter(name -> OLD_GENERATION.contains(name) || (name.equals(PARALLEL) && stated > 0))
          .ifPresent(name -> remarks.add(name + " applies it to the old generation"));
      Ratio ratio = stated > 0 ? Ratio.ofPercent(stated) : DEFAULT_WANTED;
      String remark = remarks.isEmpty() ? "" : " (" + String.join("; ", remarks) + ")";
      return new Wanted(
          ratio,
          FLAG + " " + (Math.round(ratio.percent()) + " %") + remark,
          flag.filter(any -> stated > 0).map(Flag::source));
    }
  }

  /** Free memory after GC in the window; empty if unknown. */
  static Optional<HeapRoom> after(Timeline timeline, Window window) {
    HeapSamples samples = timeline.heap(window);
    Optional<MiddleSample> middle = MiddleSample.of(samples);
    if (middle.isEmpty()) {
      return Optional.empty();
    }
    HeapSample typical = samples.get(middle.get().index());
    Optional<Ratio> ofMax =
        timeline
            .jvm()
            .maxHeap()
            .filter(max -> max.value() > 0)
            .map(max -> max.minusOrZero(typical.used()).shareOf(max));
    return Optional.of(
        new HeapRoom(typical, new Ratio(middle.get().free()), ofMax, middle.get().of()));
  }

  /** The calculation in words: {@code (256 MiB - 202 MiB) / 256 MiB = 21.1 %}. */
  public String arithmetic() {
    Bytes committed = typical.committed();
    return "free ratio = (%s - %s) / %s = %s"
        .formatted(committed, typical.used(), committed, freeRatio);
  }

  /**
   * The sample after GC with the median free share of the heap.
   *
   * <p>All samples are counted in bins and only those of the middle bin are sorted, to save memory:
   * for a gigabyte of log, an array of all values would add a sixth to the memory use.
   *
   * @param index where it is among the samples
   * @param free its free share of the committed heap, 0 to 1
   * @param of number of samples of which it is the median
   */
  record MiddleSample(int index, double free, int of) {

    private static final int BINS = 1 << 16;

    /** Empty if no such sample has a known heap size. */
    static Optional<MiddleSample> of(HeapSamples samples) {
      int[] perBin = new int[BINS];
      int all = 0;
      for (int i = 0; i < samples.size(); i++) {
        if (counts(samples, i)) {
          perBin[bin(free(samples, i))]++;
          all++;
        }
      }
      if (all == 0) {
        return Optional.empty();
      }
      int place = all / 2;
      int bin = 0;
      while (place >= perBin[bin]) {
        place -= perBin[bin];
        bin++;
      }
      double[] sorted = sorted(samples, bin, perBin[bin]);
      return Optional.of(new MiddleSample(index(samples, sorted, place), sorted[place], all));
    }

    private static double[] sorted(HeapSamples samples, int bin, int size) {
      double[] within = new double[size];
      int next = 0;
      for (int i = 0; i < samples.size(); i++) {
        if (counts(samples, i) && bin(free(samples, i)) == bin) {
          within[next++] = free(samples, i);
        }
      }
      Arrays.sort(within);
      return within;
    }

    /** Of samples with equal values the one at that place in order of time. */
    private static int index(HeapSamples samples, double[] sorted, int place) {
      int before = 0;
      while (sorted[before] < sorted[place]) {
        before++;
      }
      for (int i = 0; i < samples.size(); i++) {
        if (counts(samples, i)
            && Double.compare(free(samples, i), sorted[place]) == 0
            && before++ == place) {
          return i;
        }
      }
      throw new IllegalStateException("the samples of a timeline do not change");
    }

    private static int bin(double free) {
      return (int) Math.min(BINS - 1, free * BINS);
    }

    private static boolean counts(HeapSamples samples, int index) {
      return samples.moment(index) == Moment.AFTER_COLLECTION && samples.committed(index) > 0;
    }

    private static double free(HeapSamples samples, int index) {
      return HeapHeadroom.free(samples.used(index), samples.committed(index));
    }
  }
}
