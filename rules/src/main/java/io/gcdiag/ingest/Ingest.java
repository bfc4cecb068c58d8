package io.gcdiag.ingest;

import io.gcdiag.evidence.InputReport;
import io.gcdiag.evidence.InputReport.Status;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.SignalState;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.ingest.InputFormat.Outcome;
import io.gcdiag.ingest.frames.FrameBook;
import io.gcdiag.ingest.gclog.GcLogFormat;
import io.gcdiag.ingest.histogram.ClassHistogramFormat;
import io.gcdiag.ingest.jfr.RecordingFormat;
import io.gcdiag.ingest.jvm.JvmInfoFormat;
import io.gcdiag.ingest.load.AbFormat;
import io.gcdiag.ingest.load.GatlingFormat;
import io.gcdiag.ingest.load.HeyFormat;
import io.gcdiag.ingest.load.JmeterFormat;
import io.gcdiag.ingest.load.K6SamplesFormat;
import io.gcdiag.ingest.load.K6SummaryFormat;
import io.gcdiag.ingest.load.WrkFormat;
import io.gcdiag.ingest.metrics.ExpositionFormat;
import io.gcdiag.ingest.metrics.MetricCsvFormat;
import io.gcdiag.ingest.metrics.PrometheusJsonFormat;
import io.gcdiag.ingest.threads.ThreadDumpFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads files and folders into a timeline. A file that cannot be read is reported in {@link
 * Timeline#inputs()} and does not stop the others.
 */
public final class Ingest {

  /** Every format, in the order in which they are tried. */
  private static final List<InputFormat> FORMATS =
      List.of(
          new RecordingFormat(),
          new K6SamplesFormat(),
          new K6SummaryFormat(),
          new JmeterFormat(),
          new AbFormat(),
          new WrkFormat(),
          new HeyFormat(),
          new GatlingFormat(),
          new PrometheusJsonFormat(),
          new ExpositionFormat(),
          new MetricCsvFormat(),
          new ThreadDumpFormat(),
          new GcLogFormat(),
          new ClassHistogramFormat(),
          new JvmInfoFormat());

  private static final String UNKNOWN = "unknown";

  private final Intake intake;
  private final Set<String> names = new HashSet<>();
  private final ZipFiles zips = new ZipFiles();

  /** Files read so far, by where they really are. */
  private final Map<Path, InputFile> files = new LinkedHashMap<>();

  /** What is to be read. */
  private final List<Pending> pending = new ArrayList<>();

  /** What became of each input, in the order in which they were named. */
  private final List<List<InputReport>> reports = new ArrayList<>();

  private Ingest(Redactor redactor, Map<String, MetricMeaning> meanings, FrameBook frames) {
    intake = new Intake(redactor, meanings, frames);
  }

  private record Pending(InputFile file, List<InputFormat> formats, List<InputReport> reports) {}

  /**
   * A file or folder to read.
   *
   * @param path where it is
   * @param format the kind of format it must have; absent to recognise it by content
   */
  public record Request(Path path, Optional<String> format) {}

  /** Reads everything that can be read. */
  public static Timeline read(List<Request> requests, OperatorFacts facts, Redactor redactor) {
    return read(requests, facts, redactor, Map.of(), FrameBook.standard());
  }

  /**
   * The same, with the meaning of series of metric files and of frames.
   *
   * @param meanings by name of the series; they go before what the names are known to mean
   * @param frames what the frames of stacks mean
   */
  public static Timeline read(
      List<Request> requests,
      OperatorFacts facts,
      Redactor redactor,
      Map<String, MetricMeaning> meanings,
      FrameBook frames) {
    Ingest ingest = new Ingest(redactor, meanings, frames);
    try {
      requests.forEach(ingest::readOne);
      ingest.readPending();
    } finally {
      ingest.zips.close();
    }
    ingest.intake.align();
    TimelineBuilder timeline = ingest.intake.timeline();
    SignalState said = new SignalState(SignalState.Kind.SEEN, Optional.empty(), "");
    ingest.addMetrics(timeline, said);
    ingest.compareClocks(timeline);
    timeline.operator(facts);
    facts.rate().ifPresent(rate -> timeline.signal(Signal.REQUEST_STATS, said));
    facts.hold().ifPresent(hold -> timeline.signal(Signal.HOLD_TIME, said));
    facts.poolSize().ifPresent(size -> timeline.signal(Signal.POOL_SIZE, said));
    return timeline.build();
  }

  private void addMetrics(TimelineBuilder timeline, SignalState said) {
    for (MetricSeries series : intake.metrics().series()) {
      timeline.metric(series);
      if (series.meaning() == MetricMeaning.POOL_MAX) {
        timeline.signal(Signal.POOL_SIZE, said);
      } else if (series.meaning() == MetricMeaning.POOL_USAGE_SECONDS) {
        timeline.signal(Signal.HOLD_TIME, said);
      }
    }
    for (String name : intake.metrics().timesWithoutUnit()) {
      timeline.note(
          name
              + ": neither its name nor its values say a unit; taken for seconds. If they are"
              + " something else, name it so ("
              + name
              + "_ms) or write the unit behind the values");
    }
    for (RequestSeries requests : intake.metrics().requests()) {
      timeline.requestSeries(requests);
      timeline.signal(Signal.REQUEST_STATS, said);
    }
  }

  private void compareClocks(TimelineBuilder timeline) {
    timeline
        .datedSpan()
        .ifPresent(
            recorded ->
                SeriesClocks.notes(
                        recorded,
                        timeline.jvm().start(),
                        timeline.requestSeries(),
                        intake.metrics().series())
                    .forEach(timeline::note));
  }

  private void readOne(Request request) {
    Path path = request.path();
    List<Path> matching = Files.exists(path) ? List.of() : FilePattern.files(path);
    if (!matching.isEmpty()) {
      matching.forEach(file -> readFile(file, request.format(), true));
      return;
    }
    if (Files.isDirectory(path)) {
      readFolder(path);
      return;
    }
    readFile(path, request.format(), true);
  }

  private void readFolder(Path folder) {
    InputFile name = InputFile.of(folder.toAbsolutePath().normalize());
    List<Path> members;
    try (Stream<Path> entries = Files.list(folder)) {
      members = entries.filter(Files::isRegularFile).filter(Ingest::visible).sorted().toList();
    } catch (IOException e) {
      unreadable(name, UNKNOWN, "cannot list this folder: " + reason(e));
      return;
    } catch (UncheckedIOException e) {
      unreadable(name, UNKNOWN, "cannot list this folder: " + reason(e.getCause()));
      return;
    }
    int found = 0;
    for (Path file : members) {
      found += readFile(file, Optional.empty(), false) ? 1 : 0;
    }
    if (found == 0) {
      unreadable(
          name,
          "folder",
          "no input in this folder; expected a recording (.jfr), a GC log, thread dumps, a load"
              + " test's result or metrics");
    }
  }

  private static boolean visible(Path file) {
    Path name = file.getFileName();
    return name != null && !name.toString().startsWith(".");
  }

  /**
   * Reads one file.
   *
   * @param named whether the user named the file itself, so that not knowing its format is worth a
   *     message; in a folder, other files are passed over
   * @return whether the file was an input
   */
  private boolean readFile(Path path, Optional<String> wanted, boolean named) {
    Path real = real(path);
    if (files.containsKey(real)) {
      return true;
    }
    InputFile file = zips.holds(path) ? zips.name(path) : InputFile.of(path, names);
    Head head;
    List<InputFormat> found;
    try {
      if (Files.exists(path) && !Files.isRegularFile(path)) {
        throw new IOException("not a regular file; write what it gives to a file first");
      }
      if (zips.holds(path) && zips.isBomb(path)) {
        throw new IOException("unpacks to far more than any log or dump; unpack it by hand");
      }
      head = Head.of(path);
      if (ZipFiles.isZip(head) && !zips.holds(path)) {
        return readZip(file, wanted, named);
      }
      found = FormatSearch.formats(path, head, candidates(wanted));
    } catch (IOException e) {
      unreadable(file, UNKNOWN, reason(e));
      return true;
    }
    if (head.isEmpty()) {
      return reportEmpty(file, named);
    }
    if (found.isEmpty()) {
      return reportUnknown(file, wanted, named);
    }
    names.add(file.name());
    Optional<InputFile> twin = twin(path);
    files.put(real, file);
    if (twin.isPresent()) {
      report(
          file, found.get(0).id(), Status.OK, "the same as " + twin.get().name() + "; read once");
    } else {
      pending.add(new Pending(file, found, newSlot()));
    }
    return true;
  }

  private boolean readZip(InputFile archive, Optional<String> wanted, boolean named)
      throws IOException {
    int found = 0;
    for (Path member : zips.open(archive)) {
      found += visible(member) && readFile(member, wanted, false) ? 1 : 0;
    }
    if (found == 0 && named) {
      unreadable(archive, "zip", "no input in this archive; expected " + describe(wanted));
    }
    return found > 0 || named;
  }

  /**
   * Reads what was found in an order of its own: what is said first counts in some places, and the
   * answer must not depend on the order in which files were named.
   */
  private void readPending() {
    Comparator<Pending> byFormat =
        Comparator.comparingInt(one -> FORMATS.indexOf(one.formats().get(0)));
    pending.stream()
        .sorted(byFormat.thenComparing(one -> one.file().name()))
        .forEach(one -> one.formats().forEach(format -> readAs(format, one.file(), one.reports())));
    reports.forEach(slot -> slot.forEach(intake.timeline()::input));
  }

  private List<InputReport> newSlot() {
    List<InputReport> slot = new ArrayList<>();
    reports.add(slot);
    return slot;
  }

  private static List<InputFormat> candidates(Optional<String> wanted) {
    return FORMATS.stream()
        .filter(candidate -> wanted.isEmpty() || wanted.get().equals(candidate.kind()))
        .toList();
  }

  /** The file itself, whatever links lead to it; as written where it cannot be followed. */
  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path.toAbsolutePath().normalize();
    }
  }

  /** A file read before that has the same content: counted twice, it would double every figure. */
  private Optional<InputFile> twin(Path path) {
    for (Map.Entry<Path, InputFile> earlier : files.entrySet()) {
      try {
        // Sizes are compared first: files that differ are hardly ever read for this.
        if (Files.size(path) == Files.size(earlier.getKey())
            && Files.mismatch(path, earlier.getKey()) < 0) {
          return Optional.of(earlier.getValue());
        }
      } catch (IOException e) {
        // What cannot be read is no twin; reading it will say why.
        continue;
      }
    }
    return Optional.empty();
  }

  private boolean reportEmpty(InputFile file, boolean named) {
    boolean recording = file.name().endsWith(".jfr");
    if (named || recording) {
      unreadable(
          file,
          UNKNOWN,
          recording
              ? "file is empty; a JVM that was killed leaves its events in the JFR repository folder"
                  + " (named in hs_err_pid*.log or by -XX:FlightRecorderOptions=repository=...)"
              : "file is empty");
    }
    return named || recording;
  }

  private boolean reportUnknown(InputFile file, Optional<String> wanted, boolean named) {
    boolean recording = file.name().endsWith(".jfr");
    if (!named && !recording) {
      return false;
    }
    Optional<String> expected =
        wanted.or(() -> recording ? Optional.of(RecordingFormat.ID) : Optional.empty());
    unreadable(file, UNKNOWN, "not recognised; expected " + describe(expected));
    return true;
  }

  private void readAs(InputFormat format, InputFile file, List<InputReport> slot) {
    try {
      Outcome outcome = format.read(file, intake);
      Status status = outcome.complete() ? Status.OK : Status.PARTIAL;
      slot.add(new InputReport(file.name(), format.id(), status, outcome.note()));
    } catch (IOException e) {
      slot.add(new InputReport(file.name(), format.id(), Status.UNREADABLE, reason(e)));
    }
  }

  private void unreadable(InputFile file, String format, String note) {
    report(file, format, Status.UNREADABLE, note);
  }

  private void report(InputFile file, String format, Status status, String note) {
    newSlot().add(new InputReport(file.name(), format, status, note));
  }

  private static String describe(Optional<String> format) {
    return FORMATS.stream()
        .filter(candidate -> format.isEmpty() || format.get().equals(candidate.kind()))
        .map(InputFormat::description)
        .collect(Collectors.joining(" or "));
  }

  private static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file";
    }
    if (e instanceof AccessDeniedException) {
      return "no permission to read it";
    }
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return InputFile.printable(message);
  }
}
