package io.gcdiag.read.bytes;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.read.frames.FrameBook;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Options of how files are read.
 *
 * @param meanings the meanings of metric series by name; they override the known meanings
 * @param frames the meanings of stack frames
 * @param jfrReader the code that reads recordings
 * @param crossCheck whether another program reads GC logs too, for comparison
 * @param requestEvents events of recordings that time a request, and the field that names the
 *     endpoint; an empty text for one with a usual name
 */
public record ReadOptions(
    Map<String, MetricMeaning> meanings,
    FrameBook frames,
    JfrReader jfrReader,
    boolean crossCheck,
    Progress progress,
    SortedMap<String, String> requestEvents) {

  public static final ReadOptions STANDARD =
      new ReadOptions(Map.of(), FrameBook.standard(), JfrReader.OWN, false, Progress.NONE);

  public ReadOptions {
    meanings = Map.copyOf(meanings);
    requestEvents = Collections.unmodifiableSortedMap(new TreeMap<>(requestEvents));
  }

  /** Without events of the service's own. */
  public ReadOptions(
      Map<String, MetricMeaning> meanings,
      FrameBook frames,
      JfrReader jfrReader,
      boolean crossCheck,
      Progress progress) {
    this(meanings, frames, jfrReader, crossCheck, progress, Collections.emptySortedMap());
  }

  public ReadOptions with(Map<String, MetricMeaning> others) {
    return new ReadOptions(others, frames, jfrReader, crossCheck, progress, requestEvents);
  }

  public ReadOptions with(JfrReader other) {
    return new ReadOptions(meanings, frames, other, crossCheck, progress, requestEvents);
  }

  ReadOptions with(FrameBook others) {
    return new ReadOptions(meanings, others, jfrReader, crossCheck, progress, requestEvents);
  }

  public ReadOptions crossChecking(boolean wanted) {
    return new ReadOptions(meanings, frames, jfrReader, wanted, progress, requestEvents);
  }

  public ReadOptions telling(Progress other) {
    return new ReadOptions(meanings, frames, jfrReader, crossCheck, other, requestEvents);
  }

  /**
   * The same with events of recordings that time a request.
   *
   * @param events each {@code EVENT} or {@code EVENT:FIELD}, with the field that names the endpoint
   * @throws IllegalArgumentException if one has no name
   */
  public ReadOptions timedBy(List<String> events) {
    SortedMap<String, String> fields = new TreeMap<>();
    for (String text : events) {
      String[] parts = text.strip().split(":", 2);
      if (parts[0].isEmpty()) {
        throw new IllegalArgumentException("'" + text + "' is not EVENT or EVENT:FIELD");
      }
      fields.put(parts[0], parts.length == 1 ? "" : parts[1]);
    }
    return new ReadOptions(meanings, frames, jfrReader, crossCheck, progress, fields);
  }
}
