package io.gcdiag.ingest;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.ingest.frames.FrameBook;
import java.util.Map;

/**
 * Choices of how files are read.
 *
 * @param meanings what series of metric files measure, by name; they go before what the names are
 *     known to mean
 * @param frames what the frames of stacks mean
 * @param jfrReader which code reads recordings
 * @param crossCheck whether another program reads GC logs too, to compare
 */
public record ReadOptions(
    Map<String, MetricMeaning> meanings,
    FrameBook frames,
    JfrReader jfrReader,
    boolean crossCheck) {

  /** What is done if nobody chooses. */
  public static final ReadOptions STANDARD =
      new ReadOptions(Map.of(), FrameBook.standard(), JfrReader.OWN, false);

  /** Copies the map. */
  public ReadOptions {
    meanings = Map.copyOf(meanings);
  }

  /** The same choices, with other meanings of series. */
  public ReadOptions with(Map<String, MetricMeaning> others) {
    return new ReadOptions(others, frames, jfrReader, crossCheck);
  }

  /** The same choices, with other frames. */
  public ReadOptions with(FrameBook others) {
    return new ReadOptions(meanings, others, jfrReader, crossCheck);
  }

  /** The same choices, with another reader of recordings. */
  public ReadOptions with(JfrReader other) {
    return new ReadOptions(meanings, frames, other, crossCheck);
  }

  /** The same choices, with GC logs read by another program too, or not. */
  public ReadOptions crossChecking(boolean wanted) {
    return new ReadOptions(meanings, frames, jfrReader, wanted);
  }
}
