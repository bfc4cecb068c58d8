package io.gcdiag.read.bytes;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.read.frames.FrameBook;
import java.util.Map;

/**
 * Options of how files are read.
 *
 * @param meanings the meanings of metric series by name; they override the known meanings
 * @param frames the meanings of stack frames
 * @param jfrReader the code that reads recordings
 * @param crossCheck whether another program reads GC logs too, for comparison
 * @param progress receives the progress
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

  public ReadOptions {
    meanings = Map.copyOf(meanings);
  }

  public ReadOptions with(Map<String, MetricMeaning> others) {
    return new ReadOptions(others, frames, jfrReader, crossCheck, progress);
  }

  public ReadOptions with(JfrReader other) {
    return new ReadOptions(meanings, frames, other, crossCheck, progress);
  }

  ReadOptions with(FrameBook others) {
    return new ReadOptions(meanings, others, jfrReader, crossCheck, progress);
  }

  public ReadOptions crossChecking(boolean wanted) {
    return new ReadOptions(meanings, frames, jfrReader, wanted, progress);
  }

  public ReadOptions telling(Progress other) {
    return new ReadOptions(meanings, frames, jfrReader, crossCheck, other);
  }
}
