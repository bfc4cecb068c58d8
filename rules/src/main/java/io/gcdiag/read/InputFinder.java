package io.gcdiag.read;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.read.bytes.FileCompression;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.MarkSearch;
import io.gcdiag.read.bytes.Progress;
import io.gcdiag.read.bytes.ReaderDefectException;
import io.gcdiag.read.bytes.Stored;
import io.gcdiag.read.bytes.TarFiles;
import io.gcdiag.read.bytes.TarIndex;
import io.gcdiag.read.bytes.Unpacked;
import io.gcdiag.read.bytes.ZipFiles;
import io.gcdiag.read.dumps.AppLogFormat;
import io.gcdiag.read.jfr.RecordingFormat;
import io.gcdiag.units.Numbers;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Finds the files to read in folders, patterns and archives, each once, with the formats recognised
 * by their content.
 */
final class InputFinder implements AutoCloseable {

  /** Deepest nesting of folders in a bundle; archives are read as deep. */
  private static final int DEEPEST = 16;

  private static final String CANNOT_LIST = "cannot list this folder: ";

  private final Progress progress;
  private final Set<String> names = new HashSet<>();
  private final ZipFiles zips = new ZipFiles();
  private final TarFiles tars = new TarFiles();
  private final DuplicateFiles twins = new DuplicateFiles();

  /** Files found so far, by their real path. */
  private final Map<Stored, InputFile> files = new HashMap<>();

  final List<Found> found = new ArrayList<>();
  private final InputReports reports = new InputReports();

  /**
   * A file to read.
   *
   * @param formats the formats that it is read as, in this order
   * @param reports receives the report of how it was read
   */
  record Found(InputFile file, List<InputFormat> formats, List<InputReport> reports) {}

  InputFinder(Progress progress) {
    this.progress = progress;
  }

  List<InputReport> reports() {
    return reports.reports.stream().flatMap(List::stream).toList();
  }

  @Override
  public void close() {
    zips.close();
    tars.close();
  }

  void find(Ingest.Request request) {
    Path path = request.path();
    if (isSettings(path)) {
      return;
    }
    List<Path> matching = Files.exists(path) ? List.of() : matching(path);
    if (!matching.isEmpty()) {
      matching.stream()
          .filter(file -> !isSettings(file))
          .forEach(file -> readFile(file, request.format(), true));
      return;
    }
    if (Files.isDirectory(path)) {
      readFolder(path);
      return;
    }
    InputFile file =
        request.name().map(name -> new InputFile(path, name)).orElse(InputFile.of(path, names));
    readFile(file, path, request.format(), true);
  }

  private void readFolder(Path folder) {
    InputFile name = InputFile.of(folder.toAbsolutePath().normalize());
    try {
      int inputs = read(members(folder));
      reports.unusedInside = Optional.of(0);
      int inside = readInside(folder, "", DEEPEST);
      reports.othersInside(name, inside > 0);
      if (inputs + inside == 0) {
        reports.unreadable(
            name,
            "folder",
            "no input in this folder; expected a recording (.jfr), a GC log, thread dumps, a load"
                + " test's result or metrics");
      }
    } catch (IOException e) {
      reports.unreadable(name, CANNOT_LIST + Formats.reason(e));
    }
  }

  private int read(List<Path> members) {
    int inputs = 0;
    for (Path file : members) {
      if (!Files.isDirectory(file)) {
        boolean input = readFile(file, Optional.empty(), false);
        inputs += input && Files.isRegularFile(file) ? 1 : 0;
      }
    }
    return inputs;
  }

  /**
   * Reads subfolders, as collectors create them for each node, pod or kind of file. Other files in
   * them, such as earlier reports, are not mentioned.
   *
   * @param under the path from the folder that was given, with a slash at its end; or empty
   */
  private int readInside(Path folder, String under, int deep) throws IOException {
    int inputs = 0;
    for (Path inside : members(folder)) {
      if (Files.isDirectory(inside, LinkOption.NOFOLLOW_LINKS) && deep > 0) {
        String path = under + inside.getFileName() + "/";
        try {
          for (Path file : members(inside)) {
            if (Files.isRegularFile(file)) {
              InputFile named = new InputFile(file, InputFile.printable(path + file.getFileName()));
              inputs += readFile(named, file, Optional.empty(), false) ? 1 : 0;
            }
          }
          inputs += readInside(inside, path, deep - 1);
        } catch (IOException e) {
          reports.unreadable(InputFile.of(inside), CANNOT_LIST + Formats.reason(e));
        }
      }
    }
    return inputs;
  }

  private static List<Path> members(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.filter(InputFinder::visible).sorted().toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static boolean visible(Path file) {
    Path name = file.getFileName();
    return name != null && !name.toString().startsWith(".") && !isSettings(file);
  }

  /** A pattern such as {@code incident/*}, expanded by a shell, includes the settings file. */
  private static boolean isSettings(Path file) {
    return file.endsWith(OperatorFacts.SETTINGS_FILE) && !Files.isDirectory(file);
  }

  /**
   * Adds one file.
   *
   * @param named whether the user named the file itself, so that an unknown format is reported;
   *     other files of a folder are skipped
   * @return whether the file was an input
   */
  private boolean readFile(Path path, Optional<String> wanted, boolean named) {
    return readFile(InputFile.of(path, names), path, wanted, named);
  }

  private boolean readFile(InputFile file, Path path, Optional<String> wanted, boolean named) {
    Path real = InputFile.real(path);
    if (files.containsKey(Stored.in(real))) {
      return true;
    }
    try {
      if (Files.exists(path) && !Files.isRegularFile(path)) {
        throw new IOException("not a regular file; save its content to a file first");
      }
      FileHead head = FileHead.of(file.bytes());
      if (ZipFiles.isZip(head)) {
        int inputs = 0;
        for (ZipFiles.Member member : zips.open(file, path)) {
          inputs += visible(member.file()) && readMember(member, wanted) ? 1 : 0;
        }
        return toldOf(file, "zip", inputs, zips.loss(file), wanted, named);
      }
      if (TarFiles.isTar(head)) {
        return readTar(file, path, head.packed(), wanted, named);
      }
    } catch (NoSuchFileException e) {
      reports.failed(file, e, leadsTo(path));
      return true;
    } catch (IOException e) {
      reports.failed(file, e);
      return true;
    } catch (UncheckedIOException e) {
      reports.failed(file, e.getCause());
      return true;
    } catch (RuntimeException e) {
      throw new ReaderDefectException(file, e);
    }
    return readBytes(new InputFile(real, file.name()), wanted, named, false);
  }

  /** The target of a dangling link, such as one that was copied without its file. */
  private static Optional<String> leadsTo(Path path) {
    try {
      return Files.isSymbolicLink(path)
          ? Optional.of(Files.readSymbolicLink(path).toString())
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private boolean readBytes(
      InputFile file, Optional<String> wanted, boolean named, boolean inArchive) {
    FileHead head;
    List<InputFormat> formats;
    try {
      head = FileHead.of(file.bytes());
      if (inArchive && TarFiles.isTar(head)) {
        reports.unreadable(file, "an archive inside of another one (tar); unpack it once");
        return true;
      }
      formats = FormatSearch.formats(file, head, Formats.candidates(wanted), progress);
    } catch (IOException e) {
      reports.failed(file, e);
      return true;
    } catch (UncheckedIOException e) {
      reports.failed(file, e.getCause());
      return true;
    } catch (RuntimeException e) {
      throw new ReaderDefectException(file, e);
    }
    if (head.isEmpty()) {
      return reports.empty(file, named);
    }
    if (formats.isEmpty()) {
      return reports.unknown(file, head, wanted, named, inArchive);
    }
    names.add(file.name());
    Optional<InputFile> twin = twins.of(file, head);
    files.put(file.bytes(), file);
    if (twin.isPresent()) {
      reports.add(
          file, formats.get(0).id(), Status.OK, "the same as " + twin.get().name() + "; read once");
    } else {
      found.add(new Found(file, formats, reports.newSlot()));
    }
    return true;
  }

  private boolean readTar(
      InputFile archive, Path path, boolean packed, Optional<String> wanted, boolean named)
      throws IOException {
    int inputs = 0;
    for (TarIndex.Entry entry : tars.open(archive, path, packed, progress)) {
      String name = InputFile.printable(archive.name() + "/" + entry.name());
      InputFile file = new InputFile(entry.bytes(), name);
      inputs += visible(file) && readEntry(file, entry.sparse(), wanted) ? 1 : 0;
    }
    return toldOf(archive, "tar", inputs, tars.loss(archive), wanted, named);
  }

  /** Reports problems of an archive that its files do not show; returns whether it was an input. */
  private boolean toldOf(
      InputFile archive,
      String format,
      int inputs,
      Optional<String> loss,
      Optional<String> wanted,
      boolean named) {
    if (inputs == 0) {
      reports.forgetUnused(archive);
    }
    if (inputs > 0 && loss.isPresent()) {
      reports.add(archive, format, Status.PARTIAL, loss.get());
    } else if (loss.isPresent()) {
      reports.unreadable(archive, format, loss.get());
    } else if (inputs == 0 && named) {
      reports.unreadable(
          archive, format, "no input in this archive; expected " + Formats.describe(wanted));
    }
    return inputs > 0 || named || loss.isPresent();
  }

  private boolean readEntry(InputFile file, boolean sparse, Optional<String> wanted) {
    if (sparse) {
      reports.unreadable(
          file, "a sparse file, of which the archive holds parts only; unpack it by hand");
      return true;
    }
    return readBytes(file, wanted, false, true);
  }

  private boolean readMember(ZipFiles.Member member, Optional<String> wanted) {
    if (member.bomb()) {
      reports.unreadable(
          member.file(), "unpacks to far more than any log or dump; unpack it by hand");
      return true;
    }
    return readBytes(member.file(), wanted, false, true);
  }

  /** Names in archives have slashes on every system. */
  private static boolean visible(InputFile member) {
    return member.name().charAt(member.name().lastIndexOf('/') + 1) != '.';
  }

  /**
   * The files that match a pattern such as {@code gc.log*} that was quoted and not expanded by a
   * shell, by name; empty if it is no pattern, or if nothing matches.
   */
  private static List<Path> matching(Path pattern) {
    Path name = pattern.getFileName();
    Path folder = pattern.toAbsolutePath().getParent();
    if (name == null || folder == null || !name.toString().matches(".*[*?\\[{].*")) {
      return List.of();
    }
    try (DirectoryStream<Path> matching = Files.newDirectoryStream(folder, name.toString())) {
      return StreamSupport.stream(matching.spliterator(), false)
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    } catch (IOException | DirectoryIteratorException | PatternSyntaxException e) {
      // The missing file is reported later.
      return List.of();
    }
  }

  /** Finds files of equal content, which would count twice in every figure. */
  private static final class DuplicateFiles {

    /** Files of one size and beginning are compared in pieces of this many bytes. */
    private static final int COMPARED = 64 * 1024;

    /** By a key that distinguishes files cheaply; thousands of them may have one size. */
    private final Map<Look, List<InputFile>> byLook = new HashMap<>();

    /** The size of a file and a hash of its beginning. */
    private record Look(long size, int head) {}

    /** An earlier file with the same content as this one; otherwise this one is remembered. */
    Optional<InputFile> of(InputFile file, FileHead head) {
      try {
        Look look = new Look(file.bytes().size(), Arrays.hashCode(head.bytes()));
        List<InputFile> alike = byLook.computeIfAbsent(look, any -> new ArrayList<>());
        for (InputFile earlier : alike) {
          if (isSame(file.bytes(), earlier.bytes())) {
            return Optional.of(earlier);
          }
        }
        alike.add(file);
      } catch (IOException e) {
        // An unreadable file is no duplicate; reading it will report why.
        return Optional.empty();
      }
      return Optional.empty();
    }

    private static boolean isSame(Stored one, Stored other) throws IOException {
      try (InputStream first = one.open();
          InputStream second = other.open()) {
        byte[] some = first.readNBytes(COMPARED);
        while (some.length > 0 && Arrays.equals(some, second.readNBytes(COMPARED))) {
          some = first.readNBytes(COMPARED);
        }
        return some.length == 0 && second.read() < 0;
      }
    }
  }

  /**
   * Which formats a file holds. Most are recognised by their first bytes and fill their file; what
   * a JVM writes to its standard output may stand in one text with other such formats, anywhere.
   */
  private static final class FormatSearch {

    /** The dump, table or log line that holds a mark begins within so many bytes before it. */
    private static final int BEFORE_MARK = 4 * 1024;

    /** The formats that a file holds, in the order of the candidates; empty if it holds none. */
    static List<InputFormat> formats(
        InputFile file, FileHead head, List<InputFormat> candidates, Progress progress)
        throws IOException {
      List<InputFormat> recognised = new ArrayList<>();
      for (InputFormat candidate : candidates) {
        boolean fillsFile = candidate.marks().isEmpty();
        if ((recognised.isEmpty() || !fillsFile) && candidate.recognises(head)) {
          if (fillsFile) {
            return List.of(candidate);
          }
          recognised.add(candidate);
        }
      }
      List<InputFormat> found = new ArrayList<>(recognised);
      if (head.isText()) {
        candidates.stream()
            .filter(candidate -> !candidate.marks().isEmpty() && !found.contains(candidate))
            .forEach(found::add);
        found.retainAll(confirmed(file, head, recognised, found, progress));
      }
      return candidates.stream().filter(found::contains).toList();
    }

    /** Those of the formats that were recognised, or whose marks lead to what they recognise. */
    private static List<InputFormat> confirmed(
        InputFile file,
        FileHead head,
        List<InputFormat> recognised,
        List<InputFormat> formats,
        Progress progress)
        throws IOException {
      List<InputFormat> confirmed = new ArrayList<>(recognised);
      List<String> marks =
          formats.stream()
              .filter(format -> !recognised.contains(format))
              .flatMap(format -> format.marks().stream())
              .toList();
      if (marks.isEmpty()) {
        return confirmed;
      }
      Map<String, Long> places;
      try (InputStream in = file.open(progress)) {
        places = MarkSearch.find(in, marks, head.isWide());
      }
      for (InputFormat format : formats) {
        for (String mark : format.marks()) {
          if (!confirmed.contains(format) && places.containsKey(mark)) {
            try (InputStream in = Unpacked.open(file.bytes())) {
              long from = Math.max(0, places.get(mark) - BEFORE_MARK);
              if (format.recognises(FileHead.from(in, from, head.isWide()))) {
                confirmed.add(format);
              }
            }
          }
        }
      }
      return confirmed;
    }
  }

  /** The result for each input, in the order in which they were given. */
  private static final class InputReports {

    private static final String UNKNOWN = "unknown";

    private static final int MOST_UNUSED = 100;

    /** The JVM's replacement for bytes that are no character of the locale. */
    private static final char UNMAPPED = '\uFFFD';

    private final List<List<InputReport>> reports = new ArrayList<>();
    private int unused;

    /** Number of useless files in subfolders so far. */
    private Optional<Integer> unusedInside = Optional.empty();

    /** Reserves a place at the end for the report about the next input. */
    List<InputReport> newSlot() {
      List<InputReport> slot = new ArrayList<>();
      reports.add(slot);
      return slot;
    }

    /** Reports an empty file, because the user may miss it; returns whether it did. */
    boolean empty(InputFile file, boolean named) {
      boolean recording = file.name().endsWith(".jfr");
      if (!named && !recording) {
        unused(file, "empty");
      } else {
        unreadable(
            file,
            recording
                ? "file is empty; a JVM that was killed leaves its events in the JFR repository"
                    + " folder (named in hs_err_pid*.log or by"
                    + " -XX:FlightRecorderOptions=repository=...)"
                : "file is empty");
      }
      return named || recording;
    }

    /**
     * Reports a file of unknown format, because the user may miss it.
     *
     * @return whether it did
     */
    boolean unknown(
        InputFile file, FileHead head, Optional<String> wanted, boolean named, boolean inArchive) {
      Optional<FileCompression> packing = FileCompression.of(head.bytes());
      if (packing.isPresent()) {
        // It may contain an input, so it is reported inside a folder, too.
        unreadable(file, howPacked(packing.get(), head.packed() || inArchive));
        return true;
      }
      boolean recording = file.name().endsWith(".jfr");
      if (wanted.isEmpty() && AppLogFormat.isLog(head)) {
        newSlot().add(AppLogFormat.NOTHING.report(file, AppLogFormat.ID));
        return true;
      }
      if (!named && !recording) {
        unused(file, "not recognised");
        return false;
      }
      Optional<String> expected =
          wanted.or(() -> recording ? Optional.of(RecordingFormat.ID) : Optional.empty());
      unreadable(file, "not recognised; expected " + Formats.describe(expected));
      return true;
    }

    /** The first files show the content of a large folder or archive. */
    private void unused(InputFile file, String note) {
      if (unusedInside.isPresent()) {
        unusedInside = unusedInside.map(count -> count + 1);
      } else if (unused < MOST_UNUSED) {
        unused++;
        add(file, UNKNOWN, Status.UNUSED, note);
      }
    }

    /** An archive without an input, such as a program, was not meant as one. */
    void forgetUnused(InputFile archive) {
      Predicate<InputReport> inside =
          report ->
              report.status() == Status.UNUSED && report.file().startsWith(archive.name() + "/");
      reports.removeIf(slot -> slot.stream().anyMatch(inside));
    }

    /** One note about all useless files beside inputs in subfolders. */
    void othersInside(InputFile folder, boolean besideInputs) {
      int others = unusedInside.orElse(0);
      unusedInside = Optional.empty();
      if (besideInputs && others > 0) {
        add(
            folder,
            UNKNOWN,
            Status.UNUSED,
            Numbers.counted(others, "other file") + " in its folders not recognised");
      }
    }

    private static String howPacked(FileCompression packing, boolean inside) {
      return inside
          ? "packed twice (" + packing.label() + " inside of another packing); unpack it once"
          : "packed with " + packing.label() + ", which is not read; unpack it first";
    }

    /** Nothing can be read of a file whose format is not known. */
    void unreadable(InputFile file, String note) {
      unreadable(file, UNKNOWN, note);
    }

    /** The same where reading it ended with that. */
    void failed(InputFile file, IOException e) {
      unreadable(file, Formats.reason(e));
    }

    /** A dangling link, by its target; otherwise a missing file. */
    void failed(InputFile file, NoSuchFileException e, Optional<String> link) {
      unreadable(
          file,
          link.map(
                  to ->
                      "a link to "
                          + InputFile.printable(to)
                          + ", which is not there; copy that file itself")
              .orElseGet(() -> Formats.reason(e) + unmapped(file)));
    }

    /** A name in an encoding other than the locale's cannot be made a path. */
    private static String unmapped(InputFile file) {
      return file.name().indexOf(UNMAPPED) < 0
          ? ""
          : " by that name, which this locale (LC_ALL) cannot hold; give its folder instead";
    }

    void unreadable(InputFile file, String format, String note) {
      add(file, format, Status.UNREADABLE, note);
    }

    void add(InputFile file, String format, Status status, String note) {
      newSlot().add(new InputReport(file.name(), format, status, note));
    }
  }
}
