package io.gcdiag.read.dumps;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TextLinesTest {

  private static List<String> all(TextLines lines) throws IOException {
    List<String> all = new ArrayList<>();
    for (Optional<String> line = lines.read(); line.isPresent(); line = lines.read()) {
      all.add(lines.number() + " " + line.get());
    }
    return all;
  }

  private static List<String> lines(String text) throws IOException {
    return all(new TextLines(new StringReader(text)));
  }

  @Test
  void endsOfLinesAreLeftOut() throws IOException {
    assertEquals(List.of("1 a", "2 ", "3 b"), lines("a\r\n\nb"));
    assertEquals(List.of("1 a"), lines("a\n"));
    assertEquals(List.of(), lines(""));
  }

  @Test
  void aLineWithoutEndIsCutAtALength() throws IOException {
    List<String> lines = lines("x".repeat(200_000) + "\nnext");

    assertEquals("1 ".length() + TextLines.LONGEST, lines.get(0).length());
    assertEquals("2 next", lines.get(1));
  }

  @Test
  void linesLieAcrossTheEndOfTheBuffer() throws IOException {
    Random random = new Random(17);
    StringBuilder text = new StringBuilder();
    // Several times the buffer, so that lines lie across its end in many ways.
    for (int i = 0; i < 12_000; i++) {
      text.append(random.nextInt(20) == 0 ? "é線 " : "at com.acme.Shop.sell")
          .append("x".repeat(random.nextInt(60)))
          .append(random.nextInt(9) == 0 ? "\r\n" : "\n");
    }
    List<String> expected = text.toString().lines().toList();
    List<String> read = lines(text.toString());
    assertEquals(12_000, read.size());
    for (int i = 0; i < expected.size(); i++) {
      assertEquals(i + 1 + " " + expected.get(i), read.get(i));
    }
  }
}
