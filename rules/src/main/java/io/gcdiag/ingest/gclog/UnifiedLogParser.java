package io.gcdiag.ingest.gclog;

import io.gcdiag.evidence.HeapChange;
import io.gcdiag.evidence.PauseKind;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
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
 * <p>The second line alone makes a pause; the others add to it. It is written at the pause's end,
 * so the start is the first line's stamp or else the end less the duration.
 *
 * <p>One pause may enclose another: CMS and the Serial collector of JDK 11 print a full collection
 * inside the young one that it came from, with the next number. The enclosing one is what the
 * application saw. It is recognised by the start lines, or without them by the numbers.
 */
final class UnifiedLogParser implements GcLogParser {

  /** Pauses that were begun and never ended (a cut log) are forgotten beyond so many. */
  private static final int MOST_OPEN = 64;

  private static final String REGION = "Entering safepoint region: ";

  /** {@code PSYoungGen: 16384K(18944K)->2553K(18944K) Eden: ...}, {@code DefNew: 9K->0K(19K)}. */
  private static final Pattern YOUNG =
      Pattern.compile("(?:PSYoungGen|DefNew|ParNew): " + Figures.HEAP + "(?: .*)?");

  /**
   * Of {@code Pause}, {@code PSYoungGen}, {@code ParNew}, {@code User=} and {@code DefNew}, and of
   * the cycles {@code Minor}, {@code Major} and {@code Garbage Collection}.
   */
  private static final String FIRST_LETTERS = "PUDMG";

  /** Shenandoah's; its first letter is that of too many others. */
  private static final String CLEANUP = "Concurrent cleanup ";

  private record Open(LogStamp start, int pausesBefore) {}

  private record Young(long gcId, HeapChange heap) {}

  private final LogCollector log;
  private final Map<Long, Open> open = new HashMap<>();
  private Optional<Young> young = Optional.empty();
  private String operation = "";
  private final Dates dates = new Dates();
  private final PauseNames names = new PauseNames();
  private boolean collectorNamed;
  private boolean stamped;

  UnifiedLogParser(LogCollector log) {
    this.log = log;
  }

  /** {@code GC(0) Pause ...}, {@code [gc,init]}, {@code Using G1}: what no other file has. */
  static boolean recognises(String line) {
    int message = Decorations.messageStart(line);
    if (message < 0) {
      String text = line.strip();
      return UnifiedFacts.collector(text).isPresent()
          || text.startsWith("GC(") && collection(text, 0).isPresent();
    }
    String tags = Decorations.of(line, message, new Dates()).tags();
    return tags.equals("gc")
        || tags.startsWith("gc,")
        || tags.startsWith("safepoint")
        || collection(line, message).isPresent()
        || UnifiedFacts.collector(line.substring(message)).isPresent();
  }

  @Override
  public boolean accept(String line, long number) {
    int message = Decorations.messageStart(line);
    stamped = message >= 0;
    int from = message < 0 ? Math.max(0, line.indexOf("GC(")) : message;
    if (stamped && saysNothingOfUse(line, from)) {
      return true;
    }
    Optional<Collection> collection = collection(line, from);
    if (collection.isPresent()) {
      ofCollection(collection.get(), line, message, number);
      return true;
    }
    return ofJvm(line.substring(from).strip(), line, message, number) || message >= 0;
  }

  /**
   * Whether the message is one of the many on phases, regions and ages, of which nothing is read:
   * told by its first letter, because it is asked of every line.
   */
  private static boolean saysNothingOfUse(String line, int from) {
    if (!line.startsWith("GC(", from)) {
      return false;
    }
    int text = line.indexOf(") ", from) + 2;
    if (text < 2 || text >= line.length()) {
      return false;
    }
    if (line.startsWith(": ", text + 1)) {
      text = Math.min(text + 3, line.length() - 1);
    }
    return FIRST_LETTERS.indexOf(line.charAt(text)) < 0 && !line.startsWith(CLEANUP, text);
  }

  @Override
  public boolean stamped() {
    return stamped;
  }

  @Override
  public void finish() {
    // Nothing is held back until the end.
  }

  /** A message of one collection: its number and what it says. */
  private record Collection(long gcId, String text) {}

  /** {@code GC(12) Pause ...} and, of the generational ZGC, {@code GC(12) Y: Pause ...}. */
  private static Optional<Collection> collection(String line, int from) {
    if (!line.startsWith("GC(", from)) {
      return Optional.empty();
    }
    int close = line.indexOf(") ", from);
    int digits = close - from - 3;
    if (digits < 1 || digits > 9) {
      return Optional.empty();
    }
    long id = 0;
    for (int i = from + 3; i < close; i++) {
      char c = line.charAt(i);
      if (c < '0' || c > '9') {
        return Optional.empty();
      }
      id = 10 * id + (c - '0');
    }
    int text = close + 2;
    if (line.startsWith(": ", text + 1) && "yYoO".indexOf(line.charAt(text)) >= 0) {
      text += 3;
    }
    return Optional.of(new Collection(id, line.substring(text).stripTrailing()));
  }

  private void ofCollection(Collection message, String line, int decorated, long number) {
    String text = message.text();
    if (text.startsWith("Pause ")) {
      Decorations decorations = decorations(line, decorated);
      if (log.startsOver(decorations.stamp(), number)) {
        startOver();
      }
      if (!log.knowsCollector()) {
        UnifiedFacts.byContent(text).ifPresent(log::collectorByContent);
      }
      if (!ended(message, decorations, number)) {
        begun(message, decorations);
      }
    } else if (CycleLines.isOne(text)) {
      CycleLines.read(message.gcId(), text, decorations(line, decorated).stamp(), number, log);
    } else if (text.startsWith("User=")) {
      cpu(text).ifPresent(times -> log.cpu(message.gcId(), times));
    } else if (text.startsWith("PSYoungGen:")
        || text.startsWith("DefNew:")
        || text.startsWith("ParNew:")) {
      Matcher matcher = YOUNG.matcher(text);
      if (matcher.matches()) {
        young = Optional.of(new Young(message.gcId(), Figures.heap(matcher, 1)));
        if (!log.knowsCollector()) {
          UnifiedFacts.byContent(text).ifPresent(log::collectorByContent);
        }
      }
    }
  }

  private Decorations decorations(String line, int message) {
    return message < 0
        ? new Decorations(LogStamp.NONE, "", 0)
        : Decorations.of(line, message, dates);
  }

  private void begun(Collection message, Decorations decorations) {
    boolean start = decorations.tags().isEmpty() || decorations.tags().endsWith(",start");
    if (!start || !Character.isUpperCase(charAfterPause(message.text()))) {
      return;
    }
    if (open.size() >= MOST_OPEN) {
      open.clear();
    }
    open.put(message.gcId(), new Open(decorations.stamp(), log.pauseCount()));
  }

  private static char charAfterPause(String text) {
    return text.length() > 6 ? text.charAt(6) : ' ';
  }

  /**
   * {@code Pause Full (Ergonomics) 36M->26M(94M) 4.758ms}; false if there is no time at its end.
   */
  private boolean ended(Collection message, Decorations decorations, long number) {
    String text = message.text();
    int space = text.lastIndexOf(' ');
    if (!text.endsWith("ms") || !Character.isUpperCase(charAfterPause(text))) {
      return false;
    }
    Optional<Duration> time = Figures.millis(text.substring(space + 1, text.length() - 2));
    if (time.isEmpty()) {
      return false;
    }
    String name = text.substring(0, space).stripTrailing();
    Optional<HeapChange> heap = Figures.heap(name.substring(name.lastIndexOf(' ') + 1));
    if (heap.isPresent()) {
      name = name.substring(0, name.lastIndexOf(' '));
    }
    Open begun = open.remove(message.gcId());
    LogStamp start =
        begun != null && begun.start().isPresent()
            ? begun.start()
            : decorations.stamp().minus(time.get());
    PauseName words = names.of(name);
    LoggedHeap memory =
        new LoggedHeap(
            heap,
            young.filter(y -> y.gcId() == message.gcId()).map(Young::heap),
            words.evacuationFailure());
    LoggedPause pause =
        new LoggedPause(
            start,
            time.get(),
            words.kind(),
            words.cause(),
            memory,
            Optional.empty(),
            OptionalLong.of(message.gcId()),
            number);
    log.add(enclosing(pause, begun));
    return true;
  }

  /** Takes away the pauses that this one enclosed. */
  private LoggedPause enclosing(LoggedPause pause, Open begun) {
    int from = log.pauseCount();
    if (begun != null) {
      from = begun.pausesBefore();
    } else if (log.lastPause().filter(last -> isInside(last, pause)).isPresent()) {
      from--;
    }
    List<LoggedPause> inside = log.takeFrom(Math.min(from, log.pauseCount()));
    boolean full = inside.stream().anyMatch(nested -> nested.kind() == PauseKind.FULL);
    return full ? pause.withKind(PauseKind.FULL) : pause;
  }

  /** Numbers are given at the start: only a nested collection has the higher one and ends first. */
  private static boolean isInside(LoggedPause last, LoggedPause pause) {
    return pause.kind() == PauseKind.YOUNG
        && last.kind() == PauseKind.FULL
        && last.gcId().getAsLong() == pause.gcId().getAsLong() + 1
        && last.duration().compareTo(pause.duration()) <= 0;
  }

  private boolean ofJvm(String message, String line, int decorated, long number) {
    if (SafepointLines.isOne(message)) {
      LogStamp end = decorations(line, decorated).stamp();
      boolean read = SafepointLines.read(message, end, operation, number, log);
      operation = "";
      return read;
    }
    if (StallLines.isOne(message)) {
      return StallLines.read(message, decorations(line, decorated).stamp(), number, log);
    }
    if (message.startsWith(REGION)) {
      operation = message.substring(REGION.length());
      return true;
    }
    Optional<String> collector = UnifiedFacts.collector(message);
    if (collector.isPresent()) {
      boolean back = log.startsOver(decorations(line, decorated).stamp(), number);
      if (collectorNamed && !back) {
        log.restarted(number);
      }
      if (collectorNamed || back) {
        startOver();
      }
      collectorNamed = true;
      log.collector(collector.get());
      return true;
    }
    return UnifiedFacts.read(message, log);
  }

  private void startOver() {
    open.clear();
    young = Optional.empty();
    operation = "";
  }

  private static Optional<CpuTimes> cpu(String text) {
    Optional<Duration> user = after(text, "User=");
    Optional<Duration> system = after(text, " Sys=");
    Optional<Duration> real = after(text, " Real=");
    return user.isPresent() && system.isPresent() && real.isPresent()
        ? Optional.of(new CpuTimes(user.get(), system.get(), real.get()))
        : Optional.empty();
  }

  /** The seconds behind a word: {@code Sys=0.01s}. */
  private static Optional<Duration> after(String text, String word) {
    int at = text.indexOf(word);
    int end = at < 0 ? -1 : text.indexOf('s', at + word.length());
    return end < 0 ? Optional.empty() : Figures.seconds(text.substring(at + word.length(), end));
  }
}
