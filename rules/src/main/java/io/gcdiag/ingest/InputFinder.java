package io.gcdiag.ingest;

import io.gcdiag.evidence.InputReport;
import io.gcdiag.evidence.InputReport.Status;
import io.gcdiag.ingest.jfr.RecordingFormat;
import io.gcdiag.ingest.text.Packing;
import io.gcdiag.ingest.text.Stored;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the files that are to be read: in folders, patterns and archives, each once, with the
 * formats that they have by their content.
 */
final class InputFinder implements AutoCloseable {

  private static final String UNKNOWN = "unknown";

  /** What other tools take for their standard input. */
  private static final String STANDARD_INPUT = "-";

  /** So many names of folders fit into a note. */
  private static final int MOST_NAMES = 5;

  private final Progress progress;
  private final Set<String> names = new HashSet<>();
  private final ZipFiles zips = new ZipFiles();
  private final Twins twins = new Twins();

  /** Files found so far, by where they really are. */
  private final Map<Stored, InputFile> files = new HashMap<>();

  private final List<Found> found = new ArrayList<>();

  /** What became of each input, in the order in which they were named. */
  private final List<List<InputReport>> reports = new ArrayList<>();

  /**
   * A file to read.
   *
   * @param formats what it is read as, one after another
   * @param reports receives what became of it
   */
  record Found(InputFile file, List<InputFormat> formats, List<InputReport> reports) {}

  InputFinder(Progress progress) {
    this.progress = progress;
  }

  /** All files that can be read. */
  List<Found> found() {
    return found;
  }

  /** What became of each input, in the order in which they were named. */
  List<InputReport> reports() {
    return reports.stream().flatMap(List::stream).toList();
  }

  @Override
  public void close() {
    zips.close();
  }

  /** Looks for what an input names. */
  void find(Ingest.Request request) {
    Path path = request.path();
    if (path.toString().equals(STANDARD_INPUT) && !Files.exists(path)) {
      unreadable(
          InputFile.of(path), UNKNOWN, "standard input is not read; write it to a file first");
      return;
    }
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
      members = entries.filter(Files::isRegularFile).filter(InputFinder::visible).sorted().toList();
    } catch (IOException e) {
      unreadable(name, UNKNOWN, "cannot list this folder: " + Formats.reason(e));
      return;
    } catch (UncheckedIOException e) {
      unreadable(name, UNKNOWN, "cannot list this folder: " + Formats.reason(e.getCause()));
      return;
    }
    int inputs = 0;
    for (Path file : members) {
      inputs += readFile(file, Optional.empty(), false) ? 1 : 0;
    }
    if (inputs == 0) {
      unreadable(
          name,
          "folder",
          "no input in this folder; expected a recording (.jfr), a GC log, thread dumps, a load"
              + " test's result or metrics"
              + foldersIn(folder));
    }
  }

  /** Folders inside are not looked into: they may hold the reports of an earlier run. */
  private static String foldersIn(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      List<String> names =
          entries
              .filter(Files::isDirectory)
              .filter(InputFinder::visible)
              .map(inside -> InputFile.of(inside).name())
              .sorted()
              .limit(MOST_NAMES)
              .toList();
      return names.isEmpty()
          ? ""
          : "; folders inside are not looked into, name them as well: " + String.join(", ", names);
    } catch (IOException | UncheckedIOException e) {
      return "";
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
    if (files.containsKey(Stored.in(real))) {
      return true;
    }
    InputFile file = InputFile.of(path, names);
    try {
      if (Files.exists(path) && !Files.isRegularFile(path)) {
        throw new IOException("not a regular file; write what it gives to a file first");
      }
      if (ZipFiles.isZip(Head.of(file.bytes()))) {
        return readZip(file, path, wanted, named);
      }
    } catch (IOException e) {
      unreadable(file, UNKNOWN, Formats.reason(e));
      return true;
    } catch (RuntimeException e) {
      unreadable(file, UNKNOWN, Formats.defect(e));
      return true;
    }
    return readBytes(new InputFile(real, file.name()), wanted, named, false);
  }

  private boolean readBytes(
      InputFile file, Optional<String> wanted, boolean named, boolean inArchive) {
    Head head;
    List<InputFormat> formats;
    try {
      head = Head.of(file.bytes());
      formats = FormatSearch.formats(file, head, Formats.candidates(wanted), progress);
    } catch (IOException e) {
      unreadable(file, UNKNOWN, Formats.reason(e));
      return true;
    } catch (RuntimeException e) {
      unreadable(file, UNKNOWN, Formats.defect(e));
      return true;
    }
    if (head.isEmpty()) {
      return reportEmpty(file, named);
    }
    if (formats.isEmpty()) {
      return reportUnknown(file, head, wanted, named, inArchive);
    }
    names.add(file.name());
    Optional<InputFile> twin = twins.of(file, head);
    files.put(file.bytes(), file);
    if (twin.isPresent()) {
      report(
          file, formats.get(0).id(), Status.OK, "the same as " + twin.get().name() + "; read once");
    } else {
      found.add(new Found(file, formats, newSlot()));
    }
    return true;
  }

  private boolean readZip(InputFile archive, Path path, Optional<String> wanted, boolean named)
      throws IOException {
    int inputs = 0;
    for (ZipFiles.Member member : zips.open(archive, path)) {
      inputs += visible(member.file()) && readMember(member, wanted) ? 1 : 0;
    }
    Optional<String> loss = zips.loss(archive);
    if (inputs > 0 && loss.isPresent()) {
      report(archive, "zip", Status.PARTIAL, loss.get());
    } else if (loss.isPresent()) {
      unreadable(archive, "zip", loss.get());
    } else if (inputs == 0 && named) {
      unreadable(archive, "zip", "no input in this archive; expected " + Formats.describe(wanted));
    }
    return inputs > 0 || named || loss.isPresent();
  }

  private boolean readMember(ZipFiles.Member member, Optional<String> wanted) {
    if (member.bomb()) {
      unreadable(
          member.file(), UNKNOWN, "unpacks to far more than any log or dump; unpack it by hand");
      return true;
    }
    return readBytes(member.file(), wanted, false, true);
  }

  /** Names in archives have slashes on every system. */
  private static boolean visible(InputFile member) {
    return member.name().charAt(member.name().lastIndexOf('/') + 1) != '.';
  }

  private List<InputReport> newSlot() {
    List<InputReport> slot = new ArrayList<>();
    reports.add(slot);
    return slot;
  }

  /** The file itself, whatever links lead to it; as written where it cannot be followed. */
  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path.toAbsolutePath().normalize();
    }
  }

  private boolean reportEmpty(InputFile file, boolean named) {
    boolean recording = file.name().endsWith(".jfr");
    if (named || recording) {
      unreadable(
          file,
          UNKNOWN,
          recording
              ? "file is empty; a JVM that was killed leaves its events in the JFR repository"
                  + " folder (named in hs_err_pid*.log or by"
                  + " -XX:FlightRecorderOptions=repository=...)"
              : "file is empty");
    }
    return named || recording;
  }

  private boolean reportUnknown(
      InputFile file, Head head, Optional<String> wanted, boolean named, boolean inArchive) {
    Optional<Packing> packing = Packing.of(head.bytes());
    if (packing.isPresent()) {
      // It may hold an input, so that it is worth a word in a folder as well.
      unreadable(file, UNKNOWN, howPacked(packing.get(), head.packed() || inArchive));
      return true;
    }
    boolean recording = file.name().endsWith(".jfr");
    if (!named && !recording) {
      return false;
    }
    Optional<String> expected =
        wanted.or(() -> recording ? Optional.of(RecordingFormat.ID) : Optional.empty());
    unreadable(file, UNKNOWN, "not recognised; expected " + Formats.describe(expected));
    return true;
  }

  private static String howPacked(Packing packing, boolean inside) {
    return inside
        ? "packed twice (" + packing.label() + " inside of another packing); unpack it once"
        : "packed with " + packing.label() + ", which is not read; unpack it first";
  }

  private void unreadable(InputFile file, String format, String note) {
    report(file, format, Status.UNREADABLE, note);
  }

  private void report(InputFile file, String format, Status status, String note) {
    newSlot().add(new InputReport(file.name(), format, status, note));
  }
}
