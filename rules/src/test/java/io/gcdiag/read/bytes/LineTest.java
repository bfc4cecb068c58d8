package io.gcdiag.read.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LineTest {

  private final Line line = Line.of("[GC 5K->3K] [Times");

  @Test
  void findsTheNextOfTwoCharacters() {
    assertEquals(0, line.indexOfEither('[', ']', 0));
    assertEquals(10, line.indexOfEither('[', ']', 1));
    assertEquals(12, line.indexOfEither('[', 'T', 11));
    assertEquals(-1, line.indexOfEither('[', ']', 13));
    assertEquals(-1, line.indexOfEither('[', ']', line.length()));
  }

  @Test
  void findsACharacterWhereverItStandsAndNoneBehindTheEnd() {
    for (int length = 1; length <= 20; length++) {
      for (int at = 0; at < length; at++) {
        StringBuilder text = new StringBuilder("a\u00FFz.".repeat(6));
        text.setCharAt(at, '\n');
        byte[] whole = text.toString().getBytes(StandardCharsets.ISO_8859_1);
        Line part = new Line();
        part.set(whole, 0, length);
        assertEquals(at, part.indexOf('\n', 0));
        assertEquals(at, part.indexOfEither('\r', '\n', at));
        assertEquals(at, part.indexOfUpTo('\n', 0));
        assertEquals(at, Line.findBelow(whole, 0, length, 0, '\r' + 1));
        assertEquals(length, Line.findBelow(whole, at + 1, length, 0, '\r' + 1));
        assertEquals(-1, part.indexOf('\n', at + 1));
        assertEquals(length, part.indexOfUpTo('\n', at + 1));
      }
    }
  }

  @Test
  void findsTheNextWord() {
    assertEquals(5, line.indexOf("K->", 0));
    assertEquals(-1, line.indexOf("K->", 6));
  }
}
