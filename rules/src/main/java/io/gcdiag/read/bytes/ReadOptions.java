package io.gcdiag.read.bytes;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.read.frames.FrameBook;
import java.util.Map;

/**
 * Choices of how files are read.
 *
 * @param meanings what series of metric files measure, by name; they go before what the names are
 *     known to mean
 * @param frames what the frames of stacks mean
 * @param jfrReader which code reads recordings
 * @param crossCheck whether another program reads GC logs too, to compare
 * @param progress hears how far reading has come
 */
public record ReadOptions(
    Map<String, MetricMeaning> meanings,
    FrameBook frames,
    JfrReader jfrReader,
    boolean crossCheck,
    Progress progress) {

  /** The defaults. */
  public static final ReadOptions STANDARD =
      new ReadOptions(Map.of(), FrameBook.standard(), JfrReader.OWN, false, Progress.NONE);

  /** Copies the map. */
  public ReadOptions {
    meanings = Map.copyOf(meanings);
  }

  /** The same choices, with other meanings of series. */
  public ReadOptions with(Map<String, MetricMeaning> others) {
    return new ReadOptions(others, frames, jfrReader, crossCheck, progress);
  }

  /** The same choices, with another reader of recordings. */
  public ReadOptions with(JfrReader other) {
    return new ReadOptions(meanings, frames, other, crossCheck, progress);
  }

  /** The same choices, with other meanings of frames. */
  ReadOptions with(FrameBook others) {
    return new ReadOptions(meanings, others, jfrReader, crossCheck, progress);
  }

  /** The same choices, with GC logs read by another program too, or not. */
  public ReadOptions crossChecking(boolean wanted) {
    return new ReadOptions(meanings, frames, jfrReader, wanted, progress);
  }

  /** The same choices, with a listener for the progress of reading. */
  public ReadOptions telling(Progress other) {
    return new ReadOptions(meanings, frames, jfrReader, crossCheck, other);
  }
}
