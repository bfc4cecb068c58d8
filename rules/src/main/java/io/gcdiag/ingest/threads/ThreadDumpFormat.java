package io.gcdiag.ingest.threads;

import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.source.SignalState;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.ingest.format.ClockAlignment;
import io.gcdiag.ingest.format.FileHead;
import io.gcdiag.ingest.format.IngestContext;
import io.gcdiag.ingest.format.InputFile;
import io.gcdiag.ingest.format.InputFormat;
import io.gcdiag.ingest.text.CredibleTime;
import io.gcdiag.ingest.text.Unpacked;
import io.gcdiag.units.Numbers;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Thread dumps of the JDK: reads them, and dates them on the common clock. */
public final class ThreadDumpFormat implements InputFormat {

  /** The format's public name. */
  public static final String ID = "thread-dump";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "a thread dump (jcmd PID Thread.print or jstack, or a javacore of OpenJ9)";
  }

  @Override
  public boolean recognises(FileHead head) {
    return ThreadDumps.looksLikeThreadDump(head.text());
  }

  @Override
  public List<String> marks() {
    return List.of("Full thread dump ");
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    List<ParsedDump> dumps;
    Optional<String> damage;
    try (Unpacked in = intake.open(file)) {
      dumps = ThreadDumps.parse(in);
      damage = in.damage();
    }
    if (dumps.isEmpty()) {
      throw new IOException(
          "no thread dump in it, though it begins like one"
              + damage.map(text -> " (" + text + ")").orElse(""));
    }
    intake
        .timeline()
        .signal(Signal.THREAD_DUMPS, new SignalState(SignalState.Kind.SEEN, Optional.empty(), ""));
    intake.afterLogs(clocks -> dumps.forEach(dump -> place(file, dump, clocks, intake)));
    return damage.map(Outcome::partial).orElseGet(() -> outcome(dumps));
  }

  private static Outcome outcome(List<ParsedDump> dumps) {
    return dumps.get(dumps.size() - 1).cut()
        ? Outcome.partial(
            "the file ends in the middle of a thread of its last dump: what it lists after that"
                + " thread is missing")
        : leftOut(dumps);
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
            "by its own count "
                + Numbers.count(lost)
                + " of "
                + Numbers.count(lost + read)
                + " threads are missing in it, or their lines are broken");
  }

  private static void place(
      InputFile file, ParsedDump dump, ClockAlignment clocks, IngestContext intake) {
    Optional<Instant> at =
        dump.instant()
            .or(() -> dump.localTime().map(local -> clocks.ofLocal(file.name(), local)))
            .filter(CredibleTime::is);
    Source source =
        dump.line() <= 2 ? new Source(file.name(), "") : Source.line(file.name(), dump.line());
    intake
        .timeline()
        .dump(ThreadSnapshots.of(dump, intake.frames(), at, source, intake.redactor()));
  }
}
