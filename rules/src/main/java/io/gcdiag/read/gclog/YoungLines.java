package io.gcdiag.read.gclog;

import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.PauseStore;
import io.gcdiag.read.bytes.Line;
import io.gcdiag.read.gclog.GcLog.LoggedYoung;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The generations around young collections. What left the young generation and not the heap was
 * moved to the old one.
 *
 * <p>JDK 8 and earlier put both into the record of the pause: {@code [ParNew:
 * 1770060K->25950K(1922432K), 0.03 secs] 2105763K->361653K(4019584K)}. Unified logs have a line for
 * each generation before the line with the pause's time: {@code PSYoungGen:
 * 65536K->10748K(76288K)}, {@code Eden regions: 3->0(22)}.
 */
final class YoungLines {

  /** The young generations of ParNew, Parallel and Serial. */
  private static final Pattern YOUNG = Pattern.compile("\\[(?:ParNew|PSYoungGen|DefNew): (?=\\d)");

  private static final Pattern REGIONS =
      Pattern.compile("(Eden|Survivor|Old) regions: (\\d{1,9})->(\\d{1,9})\\b.*");

  private static final Pattern GENERATION =
      Pattern.compile("(ParNew|PSYoungGen|DefNew|ParOldGen|PSOldGen|CMS|Tenured): (?=\\d)");

  private final GcLog log;
  private final PauseStore pauses;

  /** The collection of a unified log that the figures are of, and what was read of it so far. */
  private long gcId = -1;

  private long youngBefore;
  private long youngAfter;
  private long oldBefore;
  private long oldAfter;
  private boolean tellsYoung;
  private boolean tellsOld;
  private boolean inRegions;

  YoungLines(GcLog log) {
    this.log = log;
    this.pauses = log.pauses;
  }

  /** The record of JDK 8 or earlier of the pause that was added last. */
  void ofRecord(String record) {
    int row = pauses.last();
    if (pauses.type(row).kind() != PauseKind.YOUNG || !pauses.tellsHeap(row)) {
      return;
    }
    Matcher young = YOUNG.matcher(record);
    Optional<HeapChange> sizes =
        young.find() ? SizeText.change(record, young.end(), record.length()) : Optional.empty();
    sizes.ifPresent(
        change -> {
          long before = change.usedBefore().value();
          long after = change.usedAfter().value();
          long freed = pauses.usedBefore(row) - pauses.usedAfter(row);
          add(before, after, Math.max(0, before - after - freed), false);
        });
  }

  private void add(long before, long after, long promoted, boolean regions) {
    log.add(
        new LoggedYoung(
            LogStamp.of(pauses, pauses.last()),
            1,
            before,
            after + promoted,
            promoted,
            regions,
            pauses.line(pauses.last())));
  }

  /** Whether a message of a unified log may be one of a generation. */
  static boolean isOne(Line line, int text) {
    return switch (line.charAt(text)) {
      case 'E' -> line.startsWith("Eden regions: ", text);
      case 'S' -> line.startsWith("Survivor regions: ", text);
      case 'O' -> line.startsWith("Old regions: ", text);
      case 'P' ->
          line.startsWith("ParNew: ", text)
              || line.startsWith("PSYoungGen: ", text)
              || line.startsWith("ParOldGen: ", text)
              || line.startsWith("PSOldGen: ", text);
      case 'D' -> line.startsWith("DefNew: ", text);
      case 'C' -> line.startsWith("CMS: ", text);
      case 'T' -> line.startsWith("Tenured: ", text);
      default -> false;
    };
  }

  /** A line of a generation in a unified log. */
  void ofGeneration(String message, long collection) {
    if (collection != gcId) {
      forget();
      gcId = collection;
    }
    Matcher regions = REGIONS.matcher(message);
    if (regions.matches()) {
      inRegions = true;
      add(
          !regions.group(1).equals("Old"),
          Long.parseLong(regions.group(2)),
          Long.parseLong(regions.group(3)));
      return;
    }
    Matcher generation = GENERATION.matcher(message);
    if (generation.lookingAt()) {
      boolean young =
          switch (generation.group(1)) {
            case "ParNew", "PSYoungGen", "DefNew" -> true;
            default -> false;
          };
      SizeText.change(message, generation.end(), message.length())
          .ifPresent(change -> add(young, change.usedBefore().value(), change.usedAfter().value()));
    }
  }

  private void add(boolean young, long before, long after) {
    if (young) {
      youngBefore += before;
      youngAfter += after;
      tellsYoung = true;
    } else {
      oldBefore += before;
      oldAfter += after;
      tellsOld = true;
    }
  }

  /** The pause of a collection of a unified log ended, and was added to the log. */
  void ended(long collection) {
    boolean known = collection == gcId && tellsYoung && tellsOld && pauses.last() >= 0;
    if (known && pauses.type(pauses.last()).kind() == PauseKind.YOUNG) {
      add(youngBefore, youngAfter, Math.max(0, oldAfter - oldBefore), inRegions);
    }
    forget();
  }

  /** Another run of a JVM begins. */
  void forget() {
    gcId = -1;
    youngBefore = 0;
    youngAfter = 0;
    oldBefore = 0;
    oldAfter = 0;
    tellsYoung = false;
    tellsOld = false;
    inRegions = false;
  }
}
