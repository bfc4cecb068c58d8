package io.gcdiag.ingest.gclog.unified;

import io.gcdiag.ingest.gclog.store.LogCollector;
import io.gcdiag.ingest.gclog.store.LoggedRegions;
import io.gcdiag.ingest.gclog.text.LogStamp;
import io.gcdiag.ingest.text.Line;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code Humongous regions: 12->8}: what G1 prints after each collection with {@code gc+heap}. */
final class RegionLines {

  private static final String HUMONGOUS = "Humongous regions: ";
  private static final Pattern NUMBERS = Pattern.compile(HUMONGOUS + "(\\d{1,9})->(\\d{1,9})\\b.*");

  private RegionLines() {}

  /** Whether a message reports that there were large objects; most report none. */
  static boolean isOne(Line line, int text) {
    return line.startsWith(HUMONGOUS, text) && !line.startsWith("0->0", text + HUMONGOUS.length());
  }

  /** Adds the numbers, if they are all there. */
  static void read(String message, LogStamp end, long number, LogCollector log) {
    Matcher numbers = NUMBERS.matcher(message);
    if (numbers.matches()) {
      log.addRegions(
          new LoggedRegions(
              end, Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)), number));
    }
  }
}
