package io.gcdiag.read.gclog;

import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.Unpacked;
import io.gcdiag.read.gclog.GcLog.LogExtent;
import io.gcdiag.units.Numbers;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** HotSpot's GC logs: reads them and puts their pauses on the common clock. */
public final class GcLogFormat extends InputFormat {

  /** {@code 2026-11-21T05:46:05.799+0100}, with a comma in the logs of some locales. */
  private static final Pattern DATED =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.,]\\d{3}([+-]\\d\\d[0-5]\\d)\\b");

  /** Time zones reach up to 14 hours; anything larger is no offset. */
  private static final String WIDEST_OFFSET = "1400";

  public GcLogFormat() {
    super("gc-log", "a HotSpot GC log (-Xlog:gc* or -Xloggc)");
  }

  @Override
  public boolean recognises(FileHead head) {
    return GcLogReader.looksLikeGcLog(head.text());
  }

  @Override
  public List<String> marks() {
    return List.of("] GC(", "[GC (", "[GC [", "[Full GC");
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    GcLog log;
    Optional<String> damage;
    try (Unpacked in = intake.open(file).asText()) {
      log = GcLogReader.read(in);
      damage = in.damage();
    }
    intake.timeline().jvm(LogFacts.of(file, log));
    zone(FileHead.of(file.bytes()).text()).ifPresent(intake.clocks()::zone);
    boolean dated = log.pauses().areTimed();
    intake.timeline().signal(Signal.GC_PAUSES, pauses(log, dated));
    boolean heap = IntStream.range(0, log.pauses().size()).anyMatch(log.pauses()::tellsHeap);
    boolean cycles = !log.concurrent().cycles().isEmpty() && LogFacts.fixedSize(log).isPresent();
    if ((heap || cycles) && dated) {
      intake.timeline().signal(Signal.HEAP_AROUND_GC, SignalState.SEEN);
    }
    if (log.stalls().size() > 0
        && (dated || log.pauses().size() == 0 && log.stalls().areReachedMostly())) {
      intake.timeline().signal(Signal.SAFEPOINTS, SignalState.SEEN);
    }
    intake.afterRecordings(clocks -> LogPlacing.place(file, log, clocks, intake));
    for (String note : log.notes()) {
      intake.note(file.name() + ": " + note);
    }
    LogParts.of(intake).add(file.name(), log);
    if (intake.options().crossCheck()) {
      GcToolkitCheck.run(file, log, intake);
    }
    LogExtent extent = log.extent();
    if (extent.linesNotUnderstood() > 0) {
      intake.note(
          ("%s: %s of its %s lines are not those of a collector's log, the first is line" + " %s")
              .formatted(
                  file.name(),
                  Numbers.count(extent.linesNotUnderstood()),
                  Numbers.count(extent.lines()),
                  extent.firstNotUnderstood()));
    }
    return damage.map(Outcome::partial).orElseGet(() -> outcome(log));
  }

  /** A log without collections may be of a short run, or one whose lines are not understood. */
  private static Outcome outcome(GcLog log) {
    if (log.pauses().size() > 0
        || log.stalls().size() > 0
        || !log.concurrent().cycles().isEmpty()) {
      return log.extent().unread().map(Outcome::partial).orElse(Outcome.COMPLETE);
    }
    long foreign = log.extent().linesNotUnderstood();
    return foreign == 0
        ? new Outcome(true, "it holds no GC")
        : Outcome.partial("no GC was found in it; lines not understood: " + Numbers.count(foreign));
  }

  /**
   * The JVM's zone, from the first date with an offset. An offset of zero proves nothing, because
   * the {@code utctime} decoration prints it in any zone.
   */
  private static Optional<ZoneOffset> zone(String head) {
    return DATED
        .matcher(head)
        .results()
        .map(date -> date.group(1))
        .filter(offset -> offset.substring(1).compareTo(WIDEST_OFFSET) <= 0)
        .findFirst()
        .map(ZoneOffset::of)
        .filter(offset -> !offset.equals(ZoneOffset.UTC));
  }

  /**
   * A log may contain collections without pauses (ZGC at its lowest level) or pauses without times.
   */
  private static SignalState pauses(GcLog log, boolean dated) {
    if (dated) {
      return SignalState.SEEN;
    }
    return new SignalState(
        SignalState.Kind.NOT_RECORDED,
        Optional.empty(),
        log.pauses().size() == 0 ? "the GC log has none" : "the GC log gives no times");
  }
}
