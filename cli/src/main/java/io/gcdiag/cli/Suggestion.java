package io.gcdiag.cli;

import io.gcdiag.cli.manual.NearestNames;
import java.util.List;

/** Suggestions for an unknown name. */
final class Suggestion {

  /** {@code did you mean this, this or that? }, or nothing if no name is near. */
  static String instead(String written, List<String> names) {
    return question(NearestNames.of(written, names));
  }

  /** The same for names that are known to be near. */
  static String question(List<String> near) {
    if (near.isEmpty()) {
      return "";
    }
    int last = near.size() - 1;
    return "did you mean "
        + (last == 0 ? "" : String.join(", ", near.subList(0, last)) + " or ")
        + near.get(last)
        + "? ";
  }
}
