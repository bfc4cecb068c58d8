package io.gcdiag.cli.fleet;

import io.gcdiag.fleet.CaseDigest;
import io.gcdiag.fleet.CaseFinder;
import io.gcdiag.fleet.FleetCase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/** The cases that a run finds: what to do for each goes to a file, and a number stays in memory. */
public final class CaseList implements CaseFinder.Listing, AutoCloseable {

  private final FleetStore known;
  private final Function<FleetCase, CaseTask> task;
  private final Consumer<String> problems;
  private final CaseSpool tasks;
  private final Set<Long> ids = new HashSet<>();
  private final Set<String> otherNames = new TreeSet<>();

  /**
   * An empty list.
   *
   * @param tasks takes what is to do for each case; closed with the list
   * @param known rows of earlier runs
   * @param task what is to do for a case
   * @param problems hears of folders that cannot be listed
   */
  public CaseList(
      CaseSpool tasks,
      FleetStore known,
      Function<FleetCase, CaseTask> task,
      Consumer<String> problems) {
    this.known = known;
    this.task = task;
    this.problems = problems;
    this.tasks = tasks;
  }

  @Override
  public void folder(List<FleetCase> cases, Set<String> names) {
    for (FleetCase one : cases) {
      // Names that look the same are one case, as their rows would be.
      if (ids.add(CaseDigest.number(one.id()))) {
        try {
          tasks.add(task.apply(one));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    names.stream().filter(known::has).forEach(otherNames::add);
  }

  @Override
  public void problem(String line) {
    problems.accept(line);
  }

  /** Whether a case of that name was found. */
  public boolean has(String id) {
    return has(CaseDigest.number(id));
  }

  boolean has(long id) {
    return ids.contains(id);
  }

  /** What is to do for each, were there no rows. */
  CaseSpool tasks() {
    return tasks;
  }

  /** Names of earlier rows, of files that are now those of cases with other names. */
  Set<String> replaced() {
    Set<String> replaced = new TreeSet<>(otherNames);
    replaced.removeIf(this::has);
    return replaced;
  }

  @Override
  public void close() throws IOException {
    tasks.close();
  }
}
