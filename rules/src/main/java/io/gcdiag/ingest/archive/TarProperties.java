package io.gcdiag.ingest.archive;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * What stands before the header of a file in a tar archive, because it has no room there: records
 * {@code 30 mtime=1350244992.023960108\n}, each with its own length first (POSIX.1-2001, pax), or
 * the long name of GNU tar.
 *
 * @param name the whole name of the file
 * @param size how many bytes the file has in the archive
 * @param sparse whether it is a file of which the archive has only parts
 */
record TarProperties(Optional<String> name, OptionalLong size, boolean sparse) {

  /** None at all. */
  static final TarProperties NONE =
      new TarProperties(Optional.empty(), OptionalLong.empty(), false);

  /** Folders inside folders; as deep as zip archives are looked into. */
  private static final int DEEPEST = 16;

  private static final int MOST_DIGITS = 18;

  /** The same, with a long name of GNU tar, which a zero byte ends. */
  TarProperties named(String text) {
    int end = text.indexOf(0);
    return new TarProperties(Optional.of(end < 0 ? text : text.substring(0, end)), size, sparse);
  }

  /** The same, with what the records say. A record that is none ends them. */
  TarProperties with(byte[] records) {
    TarProperties all = this;
    int at = 0;
    while (at < records.length) {
      int blank = at;
      while (blank < records.length && records[blank] >= '0' && records[blank] <= '9') {
        blank++;
      }
      Optional<Integer> length = length(records, at, blank);
      if (length.isEmpty()) {
        return all;
      }
      // Behind the blank, without the line's end.
      int end = at + length.get();
      all = all.with(new String(records, blank + 1, end - blank - 2, StandardCharsets.UTF_8));
      at = end;
    }
    return all;
  }

  private static Optional<Integer> length(byte[] records, int from, int blank) {
    int digits = blank - from;
    if (digits == 0 || digits > 6 || blank == records.length || records[blank] != ' ') {
      return Optional.empty();
    }
    int length = Integer.parseInt(new String(records, from, digits, StandardCharsets.US_ASCII));
    boolean inside = length >= digits + 2 && length <= records.length - from;
    return inside ? Optional.of(length) : Optional.empty();
  }

  private TarProperties with(String record) {
    int equals = record.indexOf('=');
    String key = equals < 0 ? record : record.substring(0, equals);
    String value = equals < 0 ? "" : record.substring(equals + 1);
    return switch (key) {
      case "path" -> value.isEmpty() ? this : named(value);
      case "size" ->
          value.matches("\\d{1," + MOST_DIGITS + "}")
              ? new TarProperties(name, OptionalLong.of(Long.parseLong(value)), sparse)
              : this;
      // Of a file in this form the header has a name of its own making.
      case "GNU.sparse.name" -> new TarProperties(Optional.of(value), size, true);
      default -> key.startsWith("GNU.sparse.") ? new TarProperties(name, size, true) : this;
    };
  }

  /** A path without steps that lead nowhere, or out of the archive. */
  static String path(String name) {
    List<String> steps =
        Arrays.stream(name.split("/"))
            .filter(step -> !step.isEmpty() && !step.equals(".") && !step.equals(".."))
            .toList();
    return steps.isEmpty() ? "?" : steps.stream().collect(Collectors.joining("/"));
  }

  /** Whether a path leads through more folders than those of an incident. */
  static boolean isTooDeep(String path) {
    return path.chars().filter(letter -> letter == '/').count() >= DEEPEST;
  }
}
