package io.gcdiag.fleet;

import io.gcdiag.books.Hypothesis;
import java.util.List;
import java.util.OptionalDouble;

/**
 * One root cause over all cases.
 *
 * @param cause the root cause
 * @param lostSeconds request time lost to it; absent if no case measured any
 * @param primary cases whose primary suspect it is
 * @param contributing cases in which it contributes
 * @param groups the groups, such as services, that it was named in, by name
 * @param worst the case that lost most to it, or the first that names it
 */
public record CauseTotal(
    Hypothesis cause,
    OptionalDouble lostSeconds,
    int primary,
    int contributing,
    List<String> groups,
    CaseFigures worst) {

  public CauseTotal {
    groups = List.copyOf(groups);
  }

  int cases() {
    return primary + contributing;
  }
}
