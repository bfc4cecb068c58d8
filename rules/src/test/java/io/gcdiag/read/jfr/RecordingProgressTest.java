package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.Progress;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingProgressTest {

  @TempDir private Path folder;

  /** How far the files were read, as it was told. */
  private static final class Heard implements Progress {
    private final List<Long> read = new ArrayList<>();
    private long size;

    @Override
    public void at(String file, long bytes, long all) {
      read.add(bytes);
      size = all;
    }

    @Override
    public void ended() {
      // Nothing to tidy up.
    }
  }

  @Test
  void eachChunkBringsItForward() throws Exception {
    Path file = Recordings.ofParks(folder.resolve("a.jfr"), 3);
    List<Long> ends = new ArrayList<>();
    long end = 0;
    for (byte[] chunk : Recordings.chunks(file)) {
      end += chunk.length;
      ends.add(end);
    }
    Heard heard = new Heard();
    Ingest.read(
        List.of(new Ingest.Request(file, Optional.empty(), Optional.empty())),
        OperatorFacts.none(),
        Redactor.off(),
        ReadOptions.STANDARD.telling(heard));
    assertEquals(ends, heard.read);
    assertEquals(Files.size(file), heard.size);
  }
}
