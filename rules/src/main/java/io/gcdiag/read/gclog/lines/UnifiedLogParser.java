package io.gcdiag.read.gclog.lines;

import io.gcdiag.read.bytes.Line;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Unified logs, {@code -Xlog:gc} to {@code -Xlog:gc*=trace,safepoint}, JDK 9 to 25, any collector.
 *
 * <pre>
 * [0.077s][info][gc,start    ] GC(0) Pause Young (Normal) (G1 Evacuation Pause)
 * [0.082s][info][gc          ] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 23M->7M(66M) 5.487ms
 * [0.082s][info][gc,cpu      ] GC(0) User=0.00s Sys=0.01s Real=0.00s
 * [0.082s][info][safepoint   ] Safepoint "G1CollectForAllocation", Time since last: 31704611 ns, ...
 * </pre>
 *
 * <p>Most lines are on phases, regions and ages, of which nothing is read: a few of their
 * characters tell, and no more is looked at.
 */
public final class UnifiedLogParser implements GcLogParser {

  private static final String HUMONGOUS = "Humongous regions: ";
  private static final Pattern NUMBERS = Pattern.compile(HUMONGOUS + "(\\d{1,9})->(\\d{1,9})\\b.*");

  private static final String REGION = "Entering safepoint region: ";

  /** A collection's number has at most so many digits. */
  private static final int MOST_DIGITS = 9;

  private static final String NUMBER = "GC(";

  private final GcLog log;
  private final UnifiedPauses pauses;
  private final YoungLines young;
  private final PhaseLines phases;
  private final Dates dates = new Dates();
  private final LineStamp stamp = new LineStamp(dates);
  private String operation = "";
  private boolean collectorNamed;
  private boolean stamped;

  /** Whether a line names the generation that was collected: ZGC does so from JDK 21 on. */
  private boolean generations;

  /** Whether lines begin with names alone, as a line that is known has told. */
  private boolean namesInFront;

  public UnifiedLogParser(GcLog log) {
    this.log = log;
    this.pauses = new UnifiedPauses(log.pauses());
    this.young = new YoungLines(log);
    this.phases = new PhaseLines(log);
    log.jdks("9 or later");
  }

  /** {@code GC(0) Pause ...}, {@code [gc,init]}, {@code Using G1}: what no other file has. */
  public static boolean recognises(Line line) {
    int message = Decorations.messageStart(line);
    if (message < 0) {
      int names = Math.max(0, NamesInFront.messageStart(line));
      String text = line.substring(names).strip();
      return UnifiedFacts.isBeginning(text) || textOf(Line.of(text), 0) >= 0;
    }
    String tags = Decorations.of(line, message, new Dates()).tags();
    return tags.equals("gc")
        || tags.startsWith("gc,")
        || tags.startsWith("safepoint")
        || textOf(line, message) >= 0
        || UnifiedFacts.isBeginning(line.substring(message));
  }

  @Override
  public boolean accept(Line line, long number) {
    int message = Decorations.messageStart(line);
    stamped = message >= 0;
    int names = stamped ? -1 : NamesInFront.messageStart(line);
    int from = stamped ? message : Math.max(Math.max(0, names), line.indexOf(NUMBER, 0));
    int text = textOf(line, from);
    if (text >= 0) {
      namesInFront |= names == from;
      ofCollection(line, from, text, message, number);
      return true;
    }
    boolean known = ofJvm(line, from, message, number);
    namesInFront |= known && names > 0;
    return known || stamped || namesInFront && names > 0;
  }

  @Override
  public boolean stamped() {
    return stamped;
  }

  @Override
  public void finish() {
    if (generations) {
      log.jdks("21 or later");
    } else if (log.isCollectedBy("CMS")) {
      // JEP 363 took it away in JDK 14.
      log.jdks("9 to 13");
    }
  }

  /**
   * Where the text of a message of one collection begins: behind {@code GC(12) } and, of the
   * generational ZGC, {@code GC(12) Y: }; -1 if it is none.
   */
  private static int textOf(Line line, int from) {
    if (!line.startsWith(NUMBER, from)) {
      return -1;
    }
    int first = from + NUMBER.length();
    int close = first;
    while (close < line.length() && LogNumbers.isDigit(line.charAt(close))) {
      close++;
    }
    if (close == first || close - first > MOST_DIGITS || !line.startsWith(") ", close)) {
      return -1;
    }
    int text = close + 2;
    boolean generation = line.startsWith(": ", text + 1) && "yYoO".indexOf(line.charAt(text)) >= 0;
    return generation ? text + 3 : text;
  }

  private static long idOf(Line line, int from) {
    long id = 0;
    for (int i = from + NUMBER.length(); LogNumbers.isDigit(line.charAt(i)); i++) {
      id = 10 * id + (line.charAt(i) - '0');
    }
    return id;
  }

  private void ofCollection(Line line, int from, int text, int decorated, long number) {
    if (text >= line.length()) {
      return;
    }
    if (YoungLines.isOne(line, text)) {
      young.ofGeneration(line.substring(text).stripTrailing(), idOf(line, from));
    }
    if (PhaseLines.isOne(line, text) && !line.startsWith("Pause ", text)) {
      phases.read(line.substring(text), idOf(line, from));
    }
    switch (line.charAt(text)) {
      case 'P', 'D' -> {
        if (line.startsWith("Pause ", text)) {
          pause(line, from, text, decorated, number);
        } else if (!log.knowsCollector()) {
          UnifiedFacts.byContent(line.substring(text)).ifPresent(log::collectorByContent);
        }
      }
      case 'U' -> {
        if (line.startsWith("User=", text)) {
          pauses.cpu(line, text, idOf(line, from));
        }
      }
      case 'M', 'G', 'C' -> {
        if (CycleLines.isOne(line, text)) {
          generations |= line.startsWith("Minor ", text) || line.startsWith("Major ", text);
          String words = line.substring(text).stripTrailing();
          CycleLines.read(words, decorations(line, decorated).stamp(), number, log);
        }
      }
      case 'H' -> {
        if (isOfRegions(line, text)) {
          LogStamp end = decorations(line, decorated).stamp();
          regions(line.substring(text), end, number, log);
        }
      }
      default -> {
        // Other regions, ages.
      }
    }
  }

  private void pause(Line line, int from, int text, int decorated, long number) {
    stamp.read(line, decorated);
    if (log.startsOver(stamp.uptime(), number)) {
      startOver();
    }
    if (!log.knowsCollector()) {
      UnifiedFacts.byContent(line.substring(text).stripTrailing())
          .ifPresent(log::collectorByContent);
    }
    generations |= line.startsWith(": ", text - 2);
    if (pauses.line(line, text, idOf(line, from), stamp, number)) {
      young.ended(idOf(line, from));
      phases.ended(idOf(line, from));
    }
  }

  private Decorations decorations(Line line, int message) {
    return message < 0
        ? new Decorations(LogStamp.NONE, "", 0)
        : Decorations.of(line, message, dates);
  }

  private boolean ofJvm(Line line, int from, int decorated, long number) {
    if (SafepointLines.isOne(line, from)) {
      LogStamp end = decorations(line, decorated).stamp();
      boolean read = SafepointLines.read(line, from, end, operation, number, log);
      operation = "";
      return read;
    }
    String message = line.substring(from).strip();
    if (StallLines.isOne(message)) {
      return StallLines.read(message, decorations(line, decorated).stamp(), number, log);
    }
    if (message.startsWith(REGION)) {
      operation = message.substring(REGION.length());
      return true;
    }
    Optional<String> collector = UnifiedFacts.collector(message);
    if (collector.isPresent()) {
      named(collector.get(), decorations(line, decorated).stamp(), number);
      return true;
    }
    return UnifiedFacts.read(message, log);
  }

  /** Every run of a JVM names its collector once, at its beginning. */
  private void named(String collector, LogStamp stamp, long number) {
    boolean back = log.startsOver(stamp, number);
    if (collectorNamed && !back) {
      log.restarted(number);
    }
    if (collectorNamed || back) {
      startOver();
    }
    collectorNamed = true;
    log.collector(collector);
  }

  private void startOver() {
    pauses.startOver();
    young.forget();
    phases.startOver();
    operation = "";
  }

  /**
   * Whether a message reports that there were large objects, as G1 prints after each collection
   * with {@code gc+heap}: {@code Humongous regions: 12->8}; most report none.
   */
  private static boolean isOfRegions(Line line, int text) {
    return line.startsWith(HUMONGOUS, text) && !line.startsWith("0->0", text + HUMONGOUS.length());
  }

  /** Adds the numbers, if they are all there. */
  private static void regions(String message, LogStamp end, long number, GcLog log) {
    Matcher numbers = NUMBERS.matcher(message);
    if (numbers.matches()) {
      log.addRegions(
          new LoggedRegions(
              end, Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)), number));
    }
  }
}
