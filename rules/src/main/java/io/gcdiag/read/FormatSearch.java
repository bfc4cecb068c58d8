package io.gcdiag.read;

import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.MarkSearch;
import io.gcdiag.read.bytes.Progress;
import io.gcdiag.read.bytes.Unpacked;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Which formats a file holds. Most are recognised by their first bytes and fill their file; what a
 * JVM writes to its standard output may stand in one text with other such formats, anywhere.
 */
final class FormatSearch {

  /** The dump, table or log line that holds a mark begins within so many bytes before it. */
  private static final int BEFORE_MARK = 4 * 1024;

  private FormatSearch() {}

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
