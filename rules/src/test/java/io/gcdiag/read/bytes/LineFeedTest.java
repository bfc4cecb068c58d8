package io.gcdiag.read.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class LineFeedTest {

  /** More than all blocks together hold, so that each is used again. */
  private static final int MANY = 200_000;

  @Test
  void readsTheSameAheadAsOneByOne() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < MANY; i++) {
      text.append("line ").append(i).append(i % 3 == 0 ? "\r\n" : "\n");
    }
    text.append("x".repeat(LineSource.LONGEST_LINE + 10)).append("\n\nthe end");

    List<String> ahead = lines(text.toString(), 100);

    assertEquals(MANY + 3, ahead.size());
    assertEquals("line 0", ahead.get(0));
    assertEquals("line 100", ahead.get(100));
    assertEquals("line 199999", ahead.get(MANY - 1));
    assertEquals(LineSource.LONGEST_LINE, ahead.get(MANY).length());
    assertEquals("the end", ahead.get(MANY + 2));
    assertEquals(lines(text.toString(), Long.MAX_VALUE), ahead);
  }

  @Test
  void aTextMayEndWhereTheThreadBegins() throws IOException {
    assertEquals(List.of("a", "b"), lines("a\nb\n", 2));
    assertEquals(List.of("a", "b"), lines("a\nb\n", 1));
    assertEquals(List.of(), lines("", 0));
  }

  @Test
  void whatFailsFailsBehindTheLinesBeforeIt() throws IOException {
    InputStream broken =
        new SequenceInputStream(
            stream("line\n".repeat(MANY)),
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("the disk is gone");
              }
            });
    try (LineFeed feed = new LineFeed(new LineSource(broken), 0)) {
      IOException failure =
          assertThrows(
              IOException.class,
              () -> {
                while (feed.advance()) {
                  assertEquals("line", feed.line().toString());
                }
              });
      assertEquals("the disk is gone", failure.getMessage());
      // What the source had not yet handed on when it failed is lost with either thread.
      assertTrue(feed.number() > MANY / 2, () -> feed.number() + " lines");
    }
  }

  @Test
  void closingEndsTheThreadWhereverItIs() throws IOException {
    LineFeed feed = new LineFeed(new LineSource(stream("line\n".repeat(MANY * 2))), 0);
    assertTrue(feed.advance());
    feed.close();
    assertFalse(
        Thread.getAllStackTraces().keySet().stream()
            .anyMatch(thread -> thread.getName().equals("gcdiag-lines")));
  }

  /** The lines by two threads in the order of the file, without those that are empty. */
  private static List<String> shared(byte[] text, long readHere) throws IOException {
    List<String> all = new ArrayList<>();
    try (LineFeed feed = new LineFeed(new LineSource(new ByteArrayInputStream(text)), readHere)) {
      feed.share(() -> new Lane(all));
    }
    return all;
  }

  private static final class Lane implements LineFeed.Lane {
    private final List<String> all;
    private List<String> block = new ArrayList<>();

    Lane(List<String> all) {
      this.all = all;
    }

    @Override
    public void read(Line line) {
      if (line.startsWith("bad", 0)) {
        throw new IllegalStateException(line.toString());
      }
      if (!line.isBlank()) {
        block.add(line.toString());
      }
    }

    @Override
    public Runnable endOfBlock() {
      List<String> read = block;
      block = new ArrayList<>();
      return () -> all.addAll(read);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'\n', ISO-8859-1",
    "'\r\n', ISO-8859-1",
    "'\r', ISO-8859-1",
    "'\n', UTF-16LE",
    "'\r\n', UTF-16"
  })
  void twoThreadsReadTheSameInTheSameOrder(String end, String encoding) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      lines.add("line " + i);
    }
    // Longer than a block.
    lines.set(MANY / 2, "x".repeat(300 * 1024));
    String text = String.join(end.replace("\\n", "\n").replace("\\r", "\r"), lines);
    List<String> expected = new ArrayList<>(lines);
    expected.set(MANY / 2, "x".repeat(LineSource.LONGEST_LINE));
    byte[] bytes = text.getBytes(Charset.forName(encoding));
    assertEquals(expected, shared(bytes, 100));
    assertEquals(expected, shared(bytes, Long.MAX_VALUE));
  }

  @Test
  void twoThreadsReadFewLinesAndNone() throws IOException {
    assertEquals(List.of("a", "b"), shared("a\nb".getBytes(StandardCharsets.US_ASCII), 0));
    assertEquals(List.of(), shared(new byte[0], 0));
  }

  @Test
  void whatFailsOnOneOfTwoThreadsFails() {
    byte[] text = ("line\n".repeat(MANY) + "bad\n").getBytes(StandardCharsets.US_ASCII);
    assertThrows(IllegalStateException.class, () -> shared(text, 0));
    byte[] first = ("bad\n" + "line\n".repeat(MANY)).getBytes(StandardCharsets.US_ASCII);
    assertThrows(IllegalStateException.class, () -> shared(first, Long.MAX_VALUE));
  }

  @Test
  void aFileThatCannotBeReadFailsOnTwoThreads() throws IOException {
    InputStream broken =
        new SequenceInputStream(
            stream("line\n".repeat(MANY)),
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("the disk is gone");
              }
            });
    try (LineFeed feed = new LineFeed(new LineSource(broken), 0)) {
      assertThrows(IOException.class, () -> feed.share(() -> new Lane(new ArrayList<>())));
    }
  }

  private static List<String> lines(String text, long readHere) throws IOException {
    List<String> lines = new ArrayList<>();
    try (LineFeed feed = new LineFeed(new LineSource(stream(text)), readHere)) {
      while (feed.advance()) {
        lines.add(feed.line().toString());
        assertEquals(lines.size(), feed.number());
      }
    }
    return lines;
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
  }
}
