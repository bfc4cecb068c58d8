package io.gcdiag.read;

import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.read.bytes.FileCompression;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.jfr.RecordingFormat;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What became of each input, in the order in which they were named. */
final class InputReports {

  private static final String UNKNOWN = "unknown";

  private static final int MOST_UNUSED = 100;

  /** What the JVM makes of bytes that are no character of the locale. */
  private static final char UNMAPPED = '\uFFFD';

  private final List<List<InputReport>> reports = new ArrayList<>();
  private int unused;

  List<InputReport> all() {
    return reports.stream().flatMap(List::stream).toList();
  }

  /** A place, after all others, for what becomes of the next input. */
  List<InputReport> newSlot() {
    List<InputReport> slot = new ArrayList<>();
    reports.add(slot);
    return slot;
  }

  /** Reports an empty file, which may be missed; returns whether it did. */
  boolean empty(InputFile file, boolean named) {
    boolean recording = file.name().endsWith(".jfr");
    if (!named && !recording) {
      unused(file, "empty", false);
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
   * Reports a file in none of the formats, which may be missed.
   *
   * @return whether it did
   */
  boolean unknown(
      InputFile file, FileHead head, Optional<String> wanted, boolean named, boolean inArchive) {
    Optional<FileCompression> packing = FileCompression.of(head.bytes());
    if (packing.isPresent()) {
      // It may hold an input, so that it is worth a word in a folder as well.
      unreadable(file, howPacked(packing.get(), head.packed() || inArchive));
      return true;
    }
    boolean recording = file.name().endsWith(".jfr");
    if (!named && !recording) {
      unused(file, "not recognised", inArchive);
      return false;
    }
    Optional<String> expected =
        wanted.or(() -> recording ? Optional.of(RecordingFormat.ID) : Optional.empty());
    unreadable(file, "not recognised; expected " + Formats.describe(expected));
    return true;
  }

  /** Archives hold much beside; of a large folder the first files show what it holds. */
  private void unused(InputFile file, String note, boolean inArchive) {
    if (!inArchive && unused < MOST_UNUSED) {
      unused++;
      add(file, UNKNOWN, Status.UNUSED, note);
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

  /** A link, by where it leads, to what is not there; without one a file that is not. */
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

  /** Of a name in another encoding than the one of the locale no path can be made. */
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
