package io.gcdiag.read.metrics;

import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.jvm.CpuSample.UndatedProfile;
import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Remark;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.ClockAlignment;
import io.gcdiag.read.bytes.CredibleTime;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.LineSource;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.metrics.ToolTable.Tool;
import io.gcdiag.read.metrics.ToolText.Event;
import io.gcdiag.read.metrics.ToolText.Moment;
import io.gcdiag.read.metrics.ToolText.Reading;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import io.gcdiag.units.UtcText;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Output of system tools and files of the kernel: what scripts collect beside dumps and logs. The
 * figures that a cause uses become series like those of a metric export.
 */
public final class ToolFormat extends InputFormat {

  public ToolFormat() {
    super("tool-output", "output of a system tool (top, vmstat, iostat -x, pidstat, cpu.stat)");
  }

  @Override
  public boolean recognises(FileHead head) {
    return head.isText() && ToolTable.TOOLS.stream().anyMatch(tool -> tool.isIn(head.text()));
  }

  @Override
  public List<String> marks() {
    return ToolTable.TOOLS.stream().map(Tool::mark).filter(mark -> !mark.isBlank()).toList();
  }

  /** The tools whose output a file holds, in one place or another. */
  private static List<Tool> tools(InputFile file) throws IOException {
    FileHead head = FileHead.of(file.bytes());
    Set<Tool> found = new LinkedHashSet<>();
    ToolTable.TOOLS.stream().filter(tool -> tool.isIn(head.text())).forEach(found::add);
    LineSource.read(
        file.bytes(),
        (text, number) ->
            ToolTable.TOOLS.stream()
                .filter(tool -> !tool.mark().isBlank() && tool.isIn(text))
                .forEach(found::add));
    return List.copyOf(found);
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    ToolText text = new ToolText(file.name(), tools(file));
    boolean collapsed =
        text.tools.stream().anyMatch(tool -> tool.name().equals(CollapsedStacks.NAME));
    CollapsedStacks stacks = new CollapsedStacks(intake.frames());
    Optional<String> damage =
        LineSource.read(
            file.bytes(),
            (line, number) -> {
              text.line(line);
              if (collapsed) {
                stacks.line(line);
              }
            });
    stacks
        .most()
        .map(place -> new UndatedProfile(Instant.EPOCH, place, new Source(file.name(), "")))
        .ifPresent(intake.timeline()::sample);
    List<Reading> readings = text.readings();
    Optional<Instant> written = file.bytes().written();
    intake.afterLogs(
        clocks -> {
          Clock clock = new Clock(file.name(), readings, written, clocks);
          place(file, readings, clock, intake);
          errors(file, text, clock, intake);
          clock.note();
        });
    if (text.jvms() > 1) {
      intake.note(
          "%s lists %s Java processes; the one that used most CPU counts"
              .formatted(file.name(), text.jvms()));
    }
    if (text.leftOut() > 0) {
      return Outcome.partial(
          Numbers.count(text.leftOut()) + " figures beyond the first are left out");
    }
    return damage
        .map(Outcome::partial)
        .or(() -> stacks.words().map(words -> new Outcome(true, words, Remark.NOT_USED)))
        .orElseGet(() -> outcome(text, readings));
  }

  private static Outcome outcome(ToolText text, List<Reading> readings) {
    if (!readings.isEmpty() || !text.events().isEmpty()) {
      return Outcome.COMPLETE;
    }
    String names = text.tools.stream().map(Tool::name).collect(Collectors.joining(", "));
    return new Outcome(
        true,
        text.tools.stream()
            .flatMap(tool -> tool.contents().hints().stream())
            .findFirst()
            .map(hint -> names + InputReport.NOT_USED + hint)
            .orElse(names + InputReport.NOT_USED + "no rule needs it"),
        Remark.NOT_USED);
  }

  private static void place(
      InputFile file, List<Reading> readings, Clock clock, IngestContext intake) {
    for (Reading one : readings) {
      clock
          .at(one.moment())
          .ifPresent(
              at ->
                  MetricCollector.of(intake)
                      .add(
                          one.output().series(),
                          one.output().labels(),
                          at,
                          one.value(),
                          new Source(file.name(), one.place())));
    }
  }

  private static void errors(InputFile file, ToolText text, Clock clock, IngestContext intake) {
    for (Event event : text.events()) {
      Source source = new Source(file.name(), event.subject());
      clock
          .at(event.moment())
          .map(at -> at.truncatedTo(ChronoUnit.SECONDS)) // that of a file has more digits
          .map(at -> new LoggedError(at, event.kind(), event.subject(), "", source))
          .ifPresent(intake.timeline()::sample);
    }
  }

  /** How the times in a file are converted. */
  private static final class Clock {

    private final String file;
    private final Optional<Instant> written;
    private final ClockAlignment clocks;

    /** Seconds from the first report to the last, of those that state no time. */
    private final double length;

    private final Duration lastUptime;
    private Optional<Duration> zone = Optional.empty();
    private boolean ofFile;
    private boolean undated;

    Clock(String file, List<Reading> readings, Optional<Instant> written, ClockAlignment clocks) {
      this.file = file;
      this.written = written;
      this.clocks = clocks;
      length =
          readings.stream()
              .map(Reading::moment)
              .filter(moment -> !moment.isStated())
              .mapToDouble(Moment::seconds)
              .max()
              .orElse(0);
      lastUptime =
          readings.stream()
              .flatMap(one -> one.moment().time().uptime().stream())
              .max(Comparator.naturalOrder())
              .orElse(Duration.ZERO);
    }

    Optional<Instant> at(Moment moment) {
      Optional<Instant> base =
          moment
              .time()
              .instant()
              .or(() -> moment.time().local().map(this::ofLocal))
              .or(() -> moment.time().uptime().flatMap(this::ofUptime))
              .or(() -> moment.clock().flatMap(clock -> clocks.ofClock(clock, written)))
              .or(() -> moment.isStated() ? Optional.empty() : ofFile());
      undated |= base.isEmpty();
      double seconds = moment.isStated() ? moment.seconds() : moment.seconds() - length;
      return base.map(at -> at.plus(Durations.ofSeconds(seconds))).filter(CredibleTime::is);
    }

    /** One zone for all of a file. */
    private Instant ofLocal(LocalDateTime local) {
      Instant utc = local.toInstant(ZoneOffset.UTC);
      Duration shift = zone.orElseGet(() -> Duration.between(utc, clocks.ofLocal(file, local)));
      zone = Optional.of(shift);
      return utc.plus(shift);
    }

    /** The last row was printed when the file was written. */
    private Optional<Instant> ofUptime(Duration uptime) {
      return clocks
          .jvmStart()
          .map(start -> start.plus(uptime))
          .or(() -> ofFile().map(end -> end.minus(lastUptime).plus(uptime)));
    }

    private Optional<Instant> ofFile() {
      ofFile |= written.isPresent();
      return written;
    }

    void note() {
      if (ofFile) {
        clocks.note(
            "%s states no time; placed at the time of the file, %s UTC: print the time above it (date; COMMAND), because copies may get a new one"
                .formatted(file, UtcText.dayAndTime(written.orElseThrow())));
      }
      if (undated) {
        clocks.note(file + ": some of its figures have no time and are left out");
      }
    }
  }

  /**
   * A profile as stacks with counts, {@code java/lang/Thread.run;com/acme/A.b 120}, as
   * async-profiler writes it. It has no time, and may be of the time that threads waited as well.
   */
  private static final class CollapsedStacks {

    static final String NAME = "collapsed stacks";

    private static final String RUNNABLE = "RUNNABLE";

    private final FrameBook book;
    private final Map<String, Long> own = new HashMap<>();
    private long all;
    private long running;

    CollapsedStacks(FrameBook book) {
      this.book = book;
    }

    void line(String line) {
      int end = line.lastIndexOf(' ');
      String count = line.substring(end + 1);
      if (end < 0
          || count.isEmpty()
          || count.length() > 12
          || !count.chars().allMatch(Character::isDigit)) {
        return;
      }
      long samples = Long.parseLong(count);
      List<String> frames = new ArrayList<>();
      for (String frame : line.substring(0, end).split(";")) {
        // Frames of the kernel, of native code and the name of the thread are none of Java's.
        if (frame.indexOf('/') > 0) {
          frames.add(frame.replaceFirst("_\\[\\w]$", "").replace('/', '.'));
        }
      }
      Collections.reverse(frames);
      boolean runs =
          book.activity(book.classify(frames, RUNNABLE, Optional.empty()), frames, RUNNABLE)
              == ThreadActivity.RUNNING;
      all += samples;
      running += runs ? samples : 0;
      int place = book.innermostOfApplication(frames);
      if (runs && place >= 0) {
        own.merge(frames.get(place), samples, Long::sum);
      }
    }

    /** The service's code with most samples; empty if most wait, or none is in its code. */
    Optional<CodePlace> most() {
      return own.entrySet().stream()
          .filter(any -> 2 * running > all)
          .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
          .map(most -> new CodePlace(most.getKey(), CodePlace.NO_LINE));
    }

    Optional<String> words() {
      return most()
          .map(
              place ->
                  NAME
                      + InputReport.NOT_USED
                      + "they have no time (-o jfr has it); "
                      + new Ratio((double) own.get(place.method()) / running)
                      + " of "
                      + Numbers.counted(running, "sample")
                      + " are in "
                      + place);
    }
  }
}
