package io.gcdiag.fleet;

import io.gcdiag.books.Hypothesis;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The figures of all rows by time, and what their names have in common. */
final class OrderedCases {

  /** Undated cases come last. */
  private static final Comparator<CaseFigures> BY_TIME =
      Comparator.comparing((CaseFigures one) -> one.from().isEmpty())
          .thenComparing(one -> one.from().orElse(Instant.EPOCH));

  private final CaseRows rows;
  private final List<CaseFigures> cases = new ArrayList<>();
  private final Map<CaseOrigin, CaseOrigin> origins = new HashMap<>();
  private final Map<List<Hypothesis>, List<Hypothesis>> causes = new HashMap<>();
  private Optional<String> folder = Optional.empty();

  private OrderedCases(CaseRows rows) {
    this.rows = rows;
  }

  static OrderedCases of(CaseRows rows) {
    OrderedCases ordered = new OrderedCases(rows);
    rows.forEach(ordered::add);
    ordered.sort();
    return ordered;
  }

  List<CaseFigures> cases() {
    return cases;
  }

  /** The folder that all cases have in common, with a slash; empty if there is none. */
  String folder() {
    return folder.orElse("");
  }

  private void add(long place, CaseRow row) {
    String id = row.key().id();
    if (folder.isEmpty()) {
      folder = Optional.of(id.substring(0, id.indexOf('/') + 1));
    } else if (!id.startsWith(folder.get())) {
      folder = Optional.of("");
    }
    List<Hypothesis> its = row.suspects().stream().map(Suspect::cause).toList();
    cases.add(
        new CaseFigures(
            place,
            row,
            origins.computeIfAbsent(row.origin(), origin -> origin),
            causes.computeIfAbsent(its, list -> list)));
  }

  /** By name where they begin at the same time. Names are read again, of these only. */
  private void sort() {
    cases.sort(BY_TIME);
    int begin = 0;
    for (int end = 1; end <= cases.size(); end++) {
      if (end == cases.size() || BY_TIME.compare(cases.get(begin), cases.get(end)) != 0) {
        if (end - begin > 1) {
          sortByName(cases.subList(begin, end));
        }
        begin = end;
      }
    }
  }

  private void sortByName(List<CaseFigures> some) {
    Map<CaseFigures, String> names = new HashMap<>();
    some.forEach(one -> names.put(one, rows.at(one.place()).key().id()));
    some.sort(Comparator.comparing(names::get));
  }
}
