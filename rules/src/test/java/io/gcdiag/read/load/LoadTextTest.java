package io.gcdiag.read.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.read.bytes.Unpacked;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadTextTest {

  @TempDir Path folder;

  private static List<String> lines(byte[] bytes) throws IOException {
    return lines(LoadText.of(new ByteArrayInputStream(bytes)));
  }

  private static List<String> lines(LoadText text) {
    return new BufferedReader(text).lines().toList();
  }

  @Test
  void aMarkSaysTheEncodingAndIsNoPartOfTheText() throws IOException {
    String text = "\uFEFFab\r\ncd";
    for (var charset :
        List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
      assertEquals(List.of("ab", "cd"), lines(text.getBytes(charset)), charset::name);
    }
    assertEquals(List.of("a\u00FC"), lines("a\u00FC".getBytes(StandardCharsets.UTF_8)));
    assertEquals(List.of("a"), lines(new byte[] {'a'}));
    assertEquals(List.of(), lines(new byte[0]));
  }

  @Test
  void aLineWithoutEndDoesNotFillTheHeap() throws IOException {
    LoadText text =
        LoadText.of(
            new InputStream() {
              @Override
              public int read() {
                return '1';
              }

              @Override
              public int read(byte[] bytes, int from, int length) {
                Arrays.fill(bytes, from, from + length, (byte) '1');
                return length;
              }
            });
    BufferedReader lines = new BufferedReader(text);
    IOException e = assertThrows(IOException.class, lines::readLine);
    assertEquals("line 1 is longer than 4194304 characters", e.getMessage());
  }

  @Test
  void aCutCompressedFileEndsWhereItIsCut() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      new Random(1).ints(20_000).forEach(i -> write(out, i + "\n"));
    }
    byte[] half = Arrays.copyOf(packed.toByteArray(), packed.size() / 2);
    Path file = Files.write(folder.resolve("cut.gz"), half);
    try (InputStream in = Unpacked.open(file);
        LoadText text = LoadText.of(in)) {
      assertTrue(lines(text).size() > 1000);
      assertEquals("the packed file is cut; what came out of it before was read", text.lost());
    }
  }

  private static void write(GZIPOutputStream out, String text) {
    try {
      out.write(text.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatIsLostIsOneLine() throws IOException {
    LoadText text = LoadText.of(InputStream.nullInputStream());
    assertEquals("", text.lost());
    text.damaged();
    assertEquals("1 line is cut or damaged and was left out", text.lost());
    text.damaged();
    assertEquals("2 lines are cut or damaged and were left out", text.lost());
    text.endsAt("damaged near line 3");
    assertEquals(
        "2 lines are cut or damaged and were left out; damaged near line 3; what stands before it"
            + " was read",
        text.lost());
  }
}
