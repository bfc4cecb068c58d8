package io.gcdiag.ingest.crash;

import io.gcdiag.evidence.jvm.LoggedError;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.ingest.format.ClockAlignment;
import io.gcdiag.ingest.format.FileHead;
import io.gcdiag.ingest.format.IngestContext;
import io.gcdiag.ingest.format.InputFile;
import io.gcdiag.ingest.format.InputFormat;
import io.gcdiag.ingest.text.LineSource;
import io.gcdiag.ingest.text.TimeText;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The report that HotSpot writes when it crashes or gets no memory from the system. */
public final class CrashReportFormat implements InputFormat {

  /** The format's public name. */
  public static final String ID = "crash-report";

  /** Stands in the head of each report, and in no other output. */
  private static final String VERSION = "# JRE version:";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "a crash report of the JVM (hs_err_pid*.log)";
  }

  @Override
  public boolean recognises(FileHead head) {
    String text = head.text();
    return text.contains(VERSION)
        && (text.contains(CrashReport.NO_MEMORY) || text.contains(CrashReport.FATAL));
  }

  @Override
  public List<String> marks() {
    return List.of(CrashReport.NO_MEMORY, CrashReport.FATAL);
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    Optional<CrashReport> found;
    Optional<String> damage;
    try (InputStream in = file.bytes().open()) {
      LineSource lines = new LineSource(in);
      found = CrashReport.read(lines);
      damage = lines.damage();
    }
    CrashReport report =
        found.orElseThrow(
            () -> new IOException("no reason for a crash in it, though it begins so"));
    intake.afterLogs(clocks -> place(file, report, clocks, intake));
    return damage.map(Outcome::partial).orElse(Outcome.COMPLETE);
  }

  private static void place(
      InputFile file, CrashReport report, ClockAlignment clocks, IngestContext intake) {
    Optional<Instant> at = at(file, report.time(), clocks);
    if (at.isEmpty()) {
      intake
          .timeline()
          .note(
              file.name()
                  + ": it does not say when the JVM ended (cut before its line 'time:'), and is left"
                  + " out");
      return;
    }
    int own = intake.frames().innermostOfApplication(report.frames());
    intake
        .timeline()
        .sample(
            new LoggedError(
                at.get(),
                report.kind(),
                intake.redactor().redact(report.subject()),
                own < 0 ? "" : report.frames().get(own),
                Source.line(file.name(), report.line())));
  }

  private static Optional<Instant> at(InputFile file, TimeText time, ClockAlignment clocks) {
    return time.instant().or(() -> time.local().map(local -> clocks.ofLocal(file.name(), local)));
  }
}
