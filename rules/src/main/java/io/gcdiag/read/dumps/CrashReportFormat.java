package io.gcdiag.read.dumps;

import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.threads.LoggedError.Kind;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.ClockAlignment;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.LineSource;
import io.gcdiag.read.bytes.TimeText;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The report that HotSpot writes when it crashes or the system refuses memory. */
public final class CrashReportFormat extends InputFormat {

  /** In the head of each report, and in no other output. */
  private static final String VERSION = "# JRE version:";

  public CrashReportFormat() {
    super("crash-report", "a crash report of the JVM (hs_err_pid*.log)");
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
    CrashReport.Draft draft = new CrashReport.Draft();
    Optional<String> damage = LineSource.read(file.bytes(), draft::line);
    CrashReport report =
        draft
            .report()
            .orElseThrow(() -> new IOException("no reason for a crash in it, though it begins so"));
    intake.afterLogs(clocks -> place(file, report, clocks, intake));
    return damage.map(Outcome::partial).orElse(Outcome.COMPLETE);
  }

  private static void place(
      InputFile file, CrashReport report, ClockAlignment clocks, IngestContext intake) {
    Optional<Instant> at = clocks.at(file, report.time());
    if (at.isEmpty()) {
      intake.note(
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

  /**
   * Why a JVM ended and when, from HotSpot's report.
   *
   * @param subject the requested memory, or the signal and the frame
   * @param frames the Java frames of the thread, innermost first
   * @param time when it was written
   * @param line the line with the reason
   */
  private record CrashReport(
      Kind kind, String subject, List<String> frames, TimeText time, long line) {

    static final String NO_MEMORY =
        "# There is insufficient memory for the Java Runtime Environment";
    static final String FATAL = "# A fatal error has been detected by the Java Runtime Environment";

    /** The innermost frames of a stack are enough. */
    private static final int MOST_FRAMES = 200;

    /** {@code # Native memory allocation (mmap) failed to map 103428096 bytes for ...}. */
    private static final Pattern REFUSED =
        Pattern.compile(
            "^# Native memory allocation \\((\\w+)\\) failed to \\w+ (\\d{1,18}) bytes");

    private static final Pattern SIGNAL = Pattern.compile("^#\\s+((?:SIG|EXCEPTION_)\\w+) \\(0x");

    /** {@code # Internal Error (os_linux.cpp:2627)}, and the reason that JDK 9 and later add. */
    private static final Pattern ERROR = Pattern.compile("^#\\s+(?:fatal error|Error): (.{1,200})");

    private static final Pattern FULL =
        Pattern.compile(
            "OutOfMemory encountered: (Java heap space|Metaspace|Compressed class space)");

    /** {@code # C [libzip.so+0x4f1c] newEntry+0x62}. */
    private static final Pattern FRAME = Pattern.compile("^#\\s(\\w\\s+\\S.{0,200})");

    /** {@code J 4211 c2 com.acme.Index.read(I)V (41 bytes)}, {@code j com.acme.Main.main()V+3}. */
    private static final Pattern JAVA_FRAME =
        Pattern.compile("^[Jj]\\s+(?:\\d+%?\\s+(?:c[12]\\s+)?)?([\\w$./]+\\.[\\w$<>]+)\\(");

    /** {@code time: Tue Aug 23 11:20:46 2016}, with a zone behind the year from JDK 9 on. */
    private static final Pattern TIME = Pattern.compile("^[Tt]ime: ");

    /** JDK 8 states the zone in the line below. */
    private static final String ZONE = "timezone: ";

    /** What is known so far. */
    private static final class Draft {
      private Optional<Kind> kind = Optional.empty();
      private String subject = "";
      private String frame = "";
      private final List<String> frames = new ArrayList<>();
      private TimeText time = TimeText.NONE;
      private String stated = "";
      private long line;
      private boolean frameFollows;

      void line(String text, long number) {
        if (text.startsWith("#")) {
          header(text, number);
          return;
        }
        Matcher java = JAVA_FRAME.matcher(text);
        if (frames.size() < MOST_FRAMES && java.find()) {
          frames.add(java.group(1).replace('/', '.'));
          return;
        }
        if (!time.isPresent() && TIME.matcher(text).find()) {
          time = TimeText.in(text);
          stated = text;
        } else if (time.local().isPresent() && text.startsWith(ZONE)) {
          time = TimeText.in(stated + ' ' + text.substring(ZONE.length()));
        }
      }

      private void header(String text, long number) {
        if (text.startsWith(NO_MEMORY)) {
          found(Kind.MEMORY_REFUSED, number);
        } else if (text.startsWith(FATAL)) {
          found(Kind.CRASHED, number);
        } else if (frameFollows) {
          Matcher named = FRAME.matcher(text);
          frame = named.find() ? named.group(1).strip() : "";
          frameFollows = false;
        } else if (text.startsWith("# Problematic frame:")) {
          frameFollows = true;
        } else {
          reason(text);
        }
      }

      private void found(Kind what, long number) {
        if (kind.isEmpty()) {
          kind = Optional.of(what);
          line = number;
        }
      }

      private void reason(String text) {
        Matcher refused = REFUSED.matcher(text);
        Matcher signal = SIGNAL.matcher(text);
        Matcher error = ERROR.matcher(text);
        Matcher full = FULL.matcher(text);
        if (full.find()) {
          boolean heap = full.group(1).equals("Java heap space");
          kind = Optional.of(heap ? Kind.HEAP_FULL : Kind.METASPACE_FULL);
          subject = full.group(1);
        } else if (subject.isEmpty() && refused.find()) {
          subject = refused.group(1) + " of " + refused.group(2) + " bytes";
        } else if (subject.isEmpty() && signal.find()) {
          subject = signal.group(1);
        } else if (subject.isEmpty() && error.find()) {
          subject = error.group(1).strip();
        }
      }

      Optional<CrashReport> report() {
        String what =
            kind.filter(Kind.CRASHED::equals).isPresent() && !frame.isEmpty()
                ? subject + " in " + frame
                : subject;
        return kind.map(why -> new CrashReport(why, what, List.copyOf(frames), time, line));
      }
    }
  }
}
