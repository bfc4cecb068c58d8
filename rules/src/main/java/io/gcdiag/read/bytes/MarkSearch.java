package io.gcdiag.read.bytes;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipException;

/**
 * Finds the first position of given words in a stream of any length, by the Wu-Manber search for a
 * set of words: it looks at two bytes at a time, and as few pairs are in any word, it mostly skips
 * nearly the length of the shortest word. Zero bytes are ignored on request, so that words in
 * UTF-16 are found too.
 */
public final class MarkSearch {

  private static final int BUFFER = 64 * 1024;
  private static final int BYTE_VALUES = 256;
  private static final int BYTE_MASK = 0xff;

  private final List<byte[]> words;
  private final int shortest;
  private final int longest;

  /** How far the search skips for a pair of bytes; 0 if a word may end with them. */
  private final byte[] shift = new byte[BYTE_VALUES * BYTE_VALUES];

  /** The words that can end with a byte; makes text of one repeated letter fast. */
  private final int[][] candidates = new int[BYTE_VALUES][];

  private MarkSearch(List<String> texts) {
    words = texts.stream().map(text -> text.getBytes(StandardCharsets.ISO_8859_1)).toList();
    shortest = words.stream().mapToInt(word -> word.length).min().orElse(1);
    longest = words.stream().mapToInt(word -> word.length).max().orElse(1);
    // The pair's second byte may be the first byte of a word.
    Arrays.fill(shift, (byte) Math.min(Byte.MAX_VALUE, shortest - 1));
    for (byte[] word : words) {
      for (int i = 1; i < shortest; i++) {
        int pair = (word[i - 1] & BYTE_MASK) << Byte.SIZE | word[i] & BYTE_MASK;
        shift[pair] = (byte) Math.min(shift[pair], shortest - 1 - i);
      }
    }
    Arrays.fill(candidates, new int[0]);
    for (int w = 0; w < words.size(); w++) {
      int value = words.get(w)[shortest - 1] & BYTE_MASK;
      int[] others = candidates[value];
      candidates[value] = Arrays.copyOf(others, others.length + 1);
      candidates[value][others.length] = w;
    }
  }

  /**
   * Searches a stream to its end, or until every word is found. A truncated or damaged compressed
   * stream ends at the damage.
   *
   * @param words the words, in ASCII
   * @param wide whether zero bytes are ignored
   * @return for each word found, the number of relevant bytes before it
   */
  public static Map<String, Long> find(InputStream in, List<String> words, boolean wide)
      throws IOException {
    Map<String, Long> found = new LinkedHashMap<>();
    try {
      new MarkSearch(words).find(in, words, wide, found);
    } catch (EOFException | ZipException e) {
      return found;
    }
    return found;
  }

  private void find(InputStream in, List<String> texts, boolean wide, Map<String, Long> found)
      throws IOException {
    byte[] buffer = new byte[BUFFER + longest];
    int kept = 0;
    long before = 0;
    int read = in.read(buffer, kept, BUFFER);
    while (read > 0 && found.size() < texts.size()) {
      int end = kept + (wide ? withoutZeros(buffer, kept, read) : read);
      search(buffer, end, before, texts, found);
      // A word may span two pieces.
      kept = Math.min(end, longest - 1);
      System.arraycopy(buffer, end - kept, buffer, 0, kept);
      before += end - kept;
      read = in.read(buffer, kept, BUFFER);
    }
  }

  private void search(
      byte[] buffer, int end, long before, List<String> texts, Map<String, Long> found) {
    int last = shortest - 1;
    byte[] steps = shift; // the first compiler would read the field again for each step
    while (last < end) {
      int step = steps[(buffer[last - 1] & BYTE_MASK) << Byte.SIZE | buffer[last] & BYTE_MASK];
      if (step == 0) {
        int start = last - shortest + 1;
        for (int w : candidates[buffer[last] & BYTE_MASK]) {
          byte[] word = words.get(w);
          if (buffer[start] == word[0]
              && start + word.length <= end
              && Arrays.equals(buffer, start, start + word.length, word, 0, word.length)) {
            found.putIfAbsent(texts.get(w), before + start);
          }
        }
        step = 1;
      }
      last += step;
    }
  }

  private static int withoutZeros(byte[] buffer, int from, int length) {
    int to = from;
    for (int i = from; i < from + length; i++) {
      if (buffer[i] != 0) {
        buffer[to++] = buffer[i];
      }
    }
    return to - from;
  }
}
