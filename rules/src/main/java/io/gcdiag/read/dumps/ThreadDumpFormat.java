package io.gcdiag.read.dumps;

import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.ClockAlignment;
import io.gcdiag.read.bytes.CredibleTime;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.JvmProcess;
import io.gcdiag.read.bytes.JvmProcess.Kind;
import io.gcdiag.read.bytes.JvmProcess.Start;
import io.gcdiag.read.bytes.Unpacked;
import io.gcdiag.units.Numbers;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Thread dumps of the JDK: reads them, and puts them on the common clock. */
public final class ThreadDumpFormat extends InputFormat {

  /**
   * A dump has whole seconds, and on a busy machine the first threads start up to a second or two
   * after the JVM.
   */
  private static final Duration START_WITHIN = Duration.ofSeconds(4);

  public ThreadDumpFormat() {
    super(
        "thread-dump", "a thread dump (jcmd PID Thread.print or jstack, or a javacore of OpenJ9)");
  }

  @Override
  public boolean recognises(FileHead head) {
    return ThreadDumps.looksLikeThreadDump(head.text());
  }

  @Override
  public List<String> marks() {
    return List.of("Full thread dump ", ", blockCnt=");
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    List<ParsedDump> dumps;
    Optional<String> damage;
    try (Unpacked in = intake.open(file).asText()) {
      dumps = ThreadDumps.parse(in);
      damage = in.damage();
    }
    if (dumps.isEmpty()) {
      throw new IOException(
          "no thread dump in it, though it begins like one"
              + damage.map(text -> " (" + text + ")").orElse(""));
    }
    intake.timeline().signal(Signal.THREAD_DUMPS, SignalState.SEEN);
    dumps.forEach(dump -> intake.processes().add(process(file, dump)));
    ThreadSnapshots snapshots = new ThreadSnapshots(intake.frames(), intake.redactor());
    intake.afterLogs(clocks -> dumps.forEach(dump -> place(file, dump, snapshots, clocks, intake)));
    Outcome outcome =
        isCut(dumps)
            ? Outcome.partial(
                "its last dump has no end: threads, or a part of the last one, may be missing")
            : leftOut(dumps);
    return damage
        // Damage explains that the last dump is truncated, but not that threads are missing.
        .map(lost -> outcome.complete() || isCut(dumps) ? lost : lost + "; " + outcome.note())
        .map(Outcome::partial)
        .orElse(outcome);
  }

  /** The process of a dump. It started together with its oldest thread, or a little earlier. */
  private static JvmProcess process(InputFile file, ParsedDump dump) {
    Optional<Instant> moment =
        dump.instant().or(() -> dump.localTime().map(local -> local.toInstant(ZoneOffset.UTC)));
    Optional<Start> start =
        dump.totals()
            .flatMap(
                totals ->
                    moment.map(
                        at ->
                            Start.before(
                                at, totals.upFor(), START_WITHIN, dump.instant().isPresent())));
    JvmFacts facts =
        new JvmFacts(
            dump.version(),
            dump.collector(),
            Optional.empty(),
            Optional.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            Collections.emptySortedMap());
    return new JvmProcess(file.name(), Kind.DUMP, facts, start, Optional.empty(), "");
  }

  private static boolean isCut(List<ParsedDump> dumps) {
    return dumps.get(dumps.size() - 1).cut();
  }

  private static Outcome leftOut(List<ParsedDump> dumps) {
    long leftOut = dumps.stream().mapToLong(ParsedDump::leftOut).sum();
    return leftOut == 0
        ? lost(dumps)
        : Outcome.partial(
            Numbers.count(leftOut)
                + " threads were left out: there is no room for more in memory; run again with a"
                + " larger heap: GCDIAG_JAVA_OPTS=-Xmx2g");
  }

  private static Outcome lost(List<ParsedDump> dumps) {
    long lost = dumps.stream().mapToLong(ParsedDump::lost).sum();
    long read = dumps.stream().mapToLong(dump -> dump.threads().size()).sum();
    return lost == 0
        ? Outcome.COMPLETE
        : Outcome.partial(
            "by its own count %s of %s threads are missing in it, or their lines are broken"
                .formatted(Numbers.count(lost), Numbers.count(lost + read)));
  }

  private static void place(
      InputFile file,
      ParsedDump dump,
      ThreadSnapshots snapshots,
      ClockAlignment clocks,
      IngestContext intake) {
    Optional<Instant> at =
        dump.instant()
            .or(() -> dump.localTime().map(local -> clocks.ofLocal(file.name(), local)))
            .filter(CredibleTime::is);
    Source source =
        dump.line() <= 2 ? new Source(file.name(), "") : Source.line(file.name(), dump.line());
    intake.timeline().dump(snapshots.of(dump, at, source));
  }
}
