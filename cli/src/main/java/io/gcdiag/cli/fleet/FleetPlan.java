package io.gcdiag.cli.fleet;

import io.gcdiag.fleet.CaseDigest;
import io.gcdiag.fleet.CaseKey;
import io.gcdiag.fleet.CaseOrigin;
import io.gcdiag.fleet.CaseRow;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a run has to do, given the rows of earlier ones. */
public final class FleetPlan {

  private final CaseList found;
  private final FleetStore known;

  /** Rows of cases that were not found, by what they are an answer to. */
  private final Map<Long, Long> elsewhere = new HashMap<>();

  private FleetPlan(CaseList found, FleetStore known) {
    this.found = found;
    this.known = known;
  }

  /** Keeps what is to change in the rows. */
  public interface Filing {

    /** A row of another service, host or version, or of a folder that was moved. */
    void append(CaseRow row) throws IOException;

    /** The name of a case whose files are now those of another case. */
    void replaced(String id) throws IOException;
  }

  /**
   * Compares what was found with what is known.
   *
   * @param known rows of earlier runs
   * @param retryFailed whether failed cases are analysed again
   * @param missing takes the cases to analyse
   * @param filing takes the rows that change
   */
  public static void make(
      CaseList found, FleetStore known, boolean retryFailed, CaseSpool missing, Filing filing)
      throws IOException {
    FleetPlan plan = new FleetPlan(found, known);
    plan.lookElsewhere();
    for (CaseTask task : found.tasks()) {
      Optional<CaseRow> moved = plan.moved(task.key());
      Optional<CaseRow> row =
          known.row(task.key()).or(() -> moved).filter(any -> any.isJudged() || !retryFailed);
      if (row.isEmpty()) {
        missing.add(task);
      } else {
        CaseOrigin origin = task.one().origin().or(row.get().origin());
        CaseRow now = row.get().under(task.key()).from(origin);
        if (!now.equals(row.get())) {
          filing.append(now);
        }
      }
      if (moved.isPresent()) {
        filing.replaced(moved.get().key().id());
      }
    }
    for (String name : found.replaced()) {
      filing.replaced(name);
    }
  }

  /** Of several rows of the same files the last by name counts. */
  private void lookElsewhere() {
    known.forEachPlace(
        (id, place) -> {
          if (!found.has(id)) {
            addElsewhere(place);
          }
        });
  }

  private void addElsewhere(long place) {
    CaseKey key = known.at(place).key();
    elsewhere.merge(
        content(key),
        place,
        (other, last) -> known.at(other).key().id().compareTo(key.id()) < 0 ? last : other);
  }

  /** What a case is, wherever the folder that was searched lies. */
  private static long content(CaseKey key) {
    return CaseDigest.number(
        key.id().substring(key.id().indexOf('/') + 1) + '\0' + key.digest() + '\0' + key.version());
  }

  /** The row of the same files under another name; each is asked for once. */
  private Optional<CaseRow> moved(CaseKey key) {
    return Optional.ofNullable(elsewhere.remove(content(key))).map(known::at);
  }
}
