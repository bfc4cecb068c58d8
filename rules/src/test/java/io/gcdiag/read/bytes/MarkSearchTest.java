package io.gcdiag.read.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MarkSearchTest {

  private static Map<String, Long> find(String text, Charset charset, String... words)
      throws IOException {
    byte[] bytes = text.getBytes(charset);
    boolean wide = text.length() < bytes.length;
    return MarkSearch.find(new ByteArrayInputStream(bytes), List.of(words), wide);
  }

  @Test
  void theFirstPlaceOfEachWordIsFoundWhereverItLies() throws IOException {
    // Around the seam between two pieces of 64 KiB every offset must do.
    for (int before = 65_520; before < 65_550; before++) {
      String text = "x".repeat(before) + "needle and pin, needle";
      assertEquals(
          Map.of("needle", (long) before, "pin", before + 11L),
          find(text, StandardCharsets.ISO_8859_1, "needle", "pin", "absent"));
    }
  }

  @Test
  void wordsOfAnyLengthAreFoundTogether() throws IOException {
    assertEquals(
        Map.of("] GC(", 5L, "Full thread dump ", 12L),
        find(
            "[1.0s] GC(3) Full thread dump X".replace("3) ", "3)"),
            StandardCharsets.UTF_8,
            "] GC(",
            "Full thread dump "));
  }

  @Test
  void utf16IsSearchedToo() throws IOException {
    assertEquals(
        Map.of("needle", 100_000L),
        find("y".repeat(100_000) + "needle", StandardCharsets.UTF_16LE, "needle"));
  }
}
