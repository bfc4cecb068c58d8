package io.gcdiag.read.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
  void findsTheNextWord() {
    assertEquals(5, line.indexOf("K->", 0));
    assertEquals(-1, line.indexOf("K->", 6));
  }
}
