package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.jvm.JvmSample.CodeCacheFull;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.units.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures as {@code jfr print} shows them: full at 14:19:04.776, counted at 14:19:26.055. */
@Tag("slow")
class CompilerEventsTest {

  private static final Path RECORDING =
      Incidents.folder("mill-code-cache").resolve("recording.jfr.gz");

  @TempDir private Path folder;

  private static Instant time(CodeCacheFull full) {
    return full.at().truncatedTo(ChronoUnit.MILLIS);
  }

  @Test
  void theEventTellsWhenTheCacheWasFull() {
    List<CodeCacheFull> full = Recordings.read(RECORDING).samples(CodeCacheFull.class);
    assertEquals(1, full.size());
    assertEquals(Instant.parse("2026-11-21T14:19:04.776Z"), time(full.get(0)));
    assertEquals(Bytes.ofMebi(6), full.get(0).capacity());
    assertFalse(full.get(0).earlier());
  }

  @Test
  void withoutTheEventTheJvmsCountTellsThatItHadBeen() throws IOException {
    List<CodeCacheFull> full =
        Recordings.read(without("jdk.CodeCacheFull")).samples(CodeCacheFull.class);
    assertEquals(1, full.size());
    assertEquals(Instant.parse("2026-11-21T14:19:26.055Z"), time(full.get(0)));
    assertEquals(Bytes.ofMebi(6), full.get(0).capacity());
    assertTrue(full.get(0).earlier());
    assertEquals("jdk.CodeCacheStatistics", full.get(0).source().place());
  }

  /** The recording with that type of event under another name, which is not read. */
  private Path without(String type) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(RECORDING))) {
      String bytes = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
      String other = "J" + type.substring(1);
      return Files.write(
          folder.resolve("a.jfr"),
          bytes.replace(type, other).getBytes(StandardCharsets.ISO_8859_1));
    }
  }
}
