package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.PlaceCounts;
import io.gcdiag.evidence.time.Window;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Bytes allocated by site and over time, so that a report can name the sites of its incident window
 * and not those of the whole recording. Immutable.
 */
public final class AllocationSites {

  private static final AllocationSites NONE = new AllocationSites(List.of());

  /** One for each recording of the JVM. */
  private final List<Part> parts;

  /**
   * @param sites by number, each with its bytes over the whole recording
   * @param bytes over time, by the number of the site
   */
  private record Part(SortedMap<Integer, AllocationSite> sites, PlaceCounts bytes) {

    Part of(AllocationSite.Path path) {
      SortedMap<Integer, AllocationSite> kept = new TreeMap<>(sites);
      kept.values().removeIf(site -> site.path() != path);
      return new Part(kept, bytes);
    }

    Stream<AllocationSite> within(Window window) {
      return bytes.within(window).entrySet().stream()
          .filter(entry -> sites.containsKey(entry.getKey()))
          .map(entry -> sites.get(entry.getKey()).of(entry.getValue()));
    }
  }

  private AllocationSites(List<Part> parts) {
    this.parts = parts;
  }

  static AllocationSites none() {
    return NONE;
  }

  public int count() {
    return parts.stream().mapToInt(part -> part.sites().size()).sum();
  }

  /**
   * The sites that allocated in a window, largest first, each with its bytes in that window.
   * Borders are rounded to whole seconds, in recordings of many hours to more.
   */
  public List<AllocationSite> within(Window window) {
    return sorted(parts.stream().flatMap(part -> part.within(window)));
  }

  /** All sites with their bytes over the whole recording, largest first. */
  public List<AllocationSite> all() {
    return sorted(parts.stream().flatMap(part -> part.sites().values().stream()));
  }

  public AllocationSites of(AllocationSite.Path path) {
    return new AllocationSites(parts.stream().map(part -> part.of(path)).toList());
  }

  /** These and those of another recording of the same JVM. */
  AllocationSites and(AllocationSites other) {
    return new AllocationSites(Stream.concat(parts.stream(), other.parts.stream()).toList());
  }

  private List<AllocationSite> sorted(Stream<AllocationSite> sites) {
    if (parts.size() == 1) {
      return sites.sorted(AllocationSite.LARGEST_FIRST).toList();
    }
    Map<List<Object>, AllocationSite> sums = new LinkedHashMap<>();
    sites.forEach(
        site ->
            sums.merge(
                List.of(
                    site.className(), site.top(), site.root(), site.ofApplication(), site.path()),
                site,
                AllocationSite::plus));
    return sums.values().stream().sorted(AllocationSite.LARGEST_FIRST).toList();
  }

  /** Collects the bytes of sites that are numbered from 0. Not thread-safe. */
  public static final class Builder {

    private final PlaceCounts bytes = new PlaceCounts();

    /**
     * Adds an allocation of a site.
     *
     * @param site its number
     * @param at nanoseconds since 1970
     */
    public void add(int site, long at, long amount) {
      if (amount > 0) {
        bytes.add(site, at, amount);
      }
    }

    /** The finished sites; the list gives the site of each number. */
    public AllocationSites build(List<AllocationSite> sites) {
      bytes.close();
      SortedMap<Integer, AllocationSite> byNumber = new TreeMap<>();
      sites.forEach(site -> byNumber.put(byNumber.size(), site));
      return new AllocationSites(List.of(new Part(byNumber, bytes)));
    }
  }
}
