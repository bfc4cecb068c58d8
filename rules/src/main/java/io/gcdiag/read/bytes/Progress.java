package io.gcdiag.read.bytes;

/**
 * Hears how far the reading of files has come. Reading may go on in several threads, so that each
 * method may be called in any of them.
 */
public interface Progress {

  /** Not shown. */
  Progress NONE =
      new Progress() {
        @Override
        public void at(String file, long read, long size) {
          // Not shown.
        }

        @Override
        public void ended() {
          // Not shown.
        }
      };

  /**
   * So much of a file has been read. Called for each piece of some KiB, and for recordings for each
   * chunk.
   *
   * @param file the file's name in reports
   * @param read bytes of the file as it lies there, packed or not; from 0 again if a file is read
   *     more than once
   * @param size how many it has
   */
  void at(String file, long read, long size);

  /** All files are read, or reading was given up. */
  void ended();
}
