package io.gcdiag.cli.fleet;

import io.gcdiag.fleet.CaseKey;
import io.gcdiag.fleet.CaseOrigin;
import io.gcdiag.fleet.CaseRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a run has to do, given the rows of earlier ones.
 *
 * @param missing cases to analyse
 * @param renamed rows that stay, with another service, host or version, or the name of the folder
 *     that their files were moved to
 * @param gone names of cases whose rows are dropped: their files are now those of another case
 */
public record FleetPlan(List<CaseTask> missing, List<CaseRow> renamed, Set<String> gone) {

  /** Copies the collections. */
  public FleetPlan {
    missing = List.copyOf(missing);
    renamed = List.copyOf(renamed);
    gone = Set.copyOf(gone);
  }

  /**
   * What a case is, wherever the folder that was searched lies.
   *
   * @param path of the case in that folder
   */
  private record Content(String path, String digest, String version) {
    static Content of(CaseKey key) {
      String path = key.id().substring(key.id().indexOf('/') + 1);
      return new Content(path, key.digest(), key.version());
    }
  }

  /**
   * Compares what was found with what is known.
   *
   * @param found all cases of the run
   * @param otherNames that cases of the same files may have had
   * @param known rows of earlier runs: at least those of the cases found, of the other names, and
   *     of the same digests
   * @param retryFailed whether failed cases are analysed again
   */
  public static FleetPlan of(
      List<CaseTask> found,
      Set<String> otherNames,
      Collection<CaseRow> known,
      boolean retryFailed) {
    Set<String> ids = found.stream().map(task -> task.one().id()).collect(Collectors.toSet());
    Map<CaseKey, CaseRow> byKey = new HashMap<>();
    Map<Content, CaseRow> elsewhere = new HashMap<>();
    Set<String> gone = new TreeSet<>();
    for (CaseRow row : known) {
      byKey.put(row.key(), row);
      if (!ids.contains(row.key().id())) {
        elsewhere.put(Content.of(row.key()), row);
      }
      if (otherNames.contains(row.key().id())) {
        gone.add(row.key().id());
      }
    }
    List<CaseTask> missing = new ArrayList<>();
    List<CaseRow> renamed = new ArrayList<>();
    for (CaseTask task : found) {
      Optional<CaseRow> before = Optional.ofNullable(elsewhere.remove(Content.of(task.key())));
      before.ifPresent(row -> gone.add(row.key().id()));
      Optional<CaseRow> row =
          Optional.ofNullable(byKey.get(task.key()))
              .or(() -> before)
              .filter(any -> any.isJudged() || !retryFailed);
      if (row.isEmpty()) {
        missing.add(task);
        continue;
      }
      CaseOrigin origin = task.one().origin().or(row.get().origin());
      CaseRow now = row.get().under(task.key()).from(origin);
      if (!now.equals(row.get())) {
        renamed.add(now);
      }
    }
    return new FleetPlan(missing, renamed, gone);
  }
}
