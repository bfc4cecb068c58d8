package io.gcdiag.causes.workers;

import io.gcdiag.units.ResourceText;
import java.util.List;
import java.util.Set;

/**
 * The settings of libraries, servers and frameworks that edits name: {@code library-settings.txt}.
 */
final class LibrarySettings {

  /** The number of connections of a pool. */
  static final String SIZE = "size";

  /** The number of threads of those with a name. */
  static final String THREADS = "threads";

  /** What makes a pool name connections that are not returned. */
  static final String LEAK = "leak";

  private static final String ANY = "-";

  private static final List<Row> ROWS =
      ResourceText.lines(LibrarySettings.class, "library-settings.txt").stream()
          .map(line -> List.of(line.split("\t")))
          .map(row -> new Row(row.get(0), row.get(1), row.get(2), row.subList(3, row.size())))
          .toList();

  private record Row(String kind, String thing, String framework, List<String> settings) {}

  private LibrarySettings() {}

  /**
   * The settings of a library, or of the threads with a name.
   *
   * @param frameworks those that were seen
   * @return names, each with {@code =} and a value if that is always the same; none if unknown
   */
  static List<String> of(String kind, String thing, Set<String> frameworks) {
    return ROWS.stream()
        .filter(row -> row.kind().equals(kind))
        .filter(
            row -> kind.equals(THREADS) ? thing.matches(row.thing()) : thing.equals(row.thing()))
        .filter(row -> row.framework().equals(ANY) || frameworks.contains(row.framework()))
        .map(Row::settings)
        .findFirst()
        .orElse(List.of());
  }
}
