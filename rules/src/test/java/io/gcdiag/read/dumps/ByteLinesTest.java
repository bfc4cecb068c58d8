package io.gcdiag.read.dumps;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.read.dumps.TextLines.BoundedLines;
import io.gcdiag.read.dumps.ThreadDumps.ByteLines;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteLinesTest {

  private static List<String> all(TextLines lines) throws IOException {
    List<String> all = new ArrayList<>();
    for (Optional<String> line = lines.read(); line.isPresent(); line = lines.read()) {
      all.add(lines.number() + " " + line.get());
    }
    return all;
  }

  private static List<String> ofBytes(String text) throws IOException {
    return all(new ByteLines(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))));
  }

  @Test
  void endsOfLinesAreLeftOut() throws IOException {
    assertEquals(List.of("1 a", "2 ", "3 b"), ofBytes("a\r\n\nb"));
    assertEquals(List.of("1 a"), ofBytes("a\n"));
    assertEquals(List.of(), ofBytes(""));
  }

  @Test
  void namesInOtherScriptsAreRead() throws IOException {
    assertEquals(List.of("1 \"größe-Ω-線程\" #1", "2 plain"), ofBytes("\"größe-Ω-線程\" #1\nplain"));
  }

  @Test
  void bytesThatAreNoTextAreReplaced() throws IOException {
    byte[] bytes = {'a', (byte) 0xff, 'b', '\n', 'c'};
    assertEquals(List.of("1 a\uFFFDb", "2 c"), all(new ByteLines(new ByteArrayInputStream(bytes))));
  }

  @Test
  void aLineWithoutEndIsCutAtALength() throws IOException {
    List<String> lines = ofBytes("x".repeat(200_000) + "\nnext");

    assertEquals("1 ".length() + BoundedLines.LONGEST, lines.get(0).length());
    assertEquals("2 next", lines.get(1));
  }

  @Test
  void anyTextIsReadAsFromItsCharacters() throws IOException {
    Random random = new Random(17);
    StringBuilder text = new StringBuilder();
    // Several times the buffer, so that lines lie across its end in many ways.
    for (int i = 0; i < 12_000; i++) {
      text.append(random.nextInt(20) == 0 ? "é線 " : "at com.acme.Shop.sell")
          .append("x".repeat(random.nextInt(60)))
          .append(random.nextInt(9) == 0 ? "\r\n" : "\n");
    }
    assertEquals(
        all(new BoundedLines(new StringReader(text.toString()))), ofBytes(text.toString()));
  }
}
