package io.gcdiag.read.bytes;

/**
 * Receives the progress of reading. Files may be read in several threads, so each method must be
 * thread-safe.
 */
public interface Progress {

  Progress NONE =
      new Progress() {
        @Override
        public void at(String file, long read, long size) {
          // Shows nothing.
        }

        @Override
        public void ended() {
          // Shows nothing.
        }
      };

  /**
   * Progress within a file. Called for each piece of some KiB, and for recordings for each chunk.
   *
   * @param file the file's name in reports
   * @param read bytes of the file read so far, as stored (compressed or not); starts at 0 again if
   *     a file is read more than once
   * @param size its size in bytes
   */
  void at(String file, long read, long size);

  /** All files are read, or reading was aborted. */
  void ended();
}
