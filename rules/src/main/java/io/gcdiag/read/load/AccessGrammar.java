package io.gcdiag.read.load;

import io.gcdiag.read.bytes.InputFormat.Outcome;
import io.gcdiag.read.bytes.Line;
import io.gcdiag.read.load.AccessDuration.Hints;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** How the lines of an access log are built. */
interface AccessGrammar {

  enum Kind {
    /** A request, with all that is needed. */
    REQUEST,
    /** A line of the log without a request: a connection that sent none. */
    NONE,
    /** Something else, or a damaged line. */
    DAMAGED
  }

  /** The server that wrote the log, as far as the lines show. */
  default String producer() {
    return "access log";
  }

  /** With the reason why one of several numbers is the duration. */
  default Outcome outcome() {
    return Outcome.COMPLETE;
  }

  /** Whether the time of a line is the start of the request; empty if the lines do not tell. */
  Optional<Boolean> isStart();

  /** Whether a line depends on those before it, so that one thread has to read all. */
  default boolean needsOrder() {
    return false;
  }

  AccessGrammar another();

  Kind read(Line line, AccessEntry entry);

  /** Whether lines are those of an access log, with or without durations. */
  static boolean recognises(List<Line> lines) {
    // Its class is not loaded for files without directives.
    return lines.stream().anyMatch(line -> line.startsWith("#", 0))
            && AccessExtended.recognises(lines)
        || AccessText.recognises(lines)
        || AccessKeys.recognises(lines);
  }

  /**
   * The grammar of lines.
   *
   * @throws IOException with what to add, if the lines have no duration or its unit is not clear
   */
  static AccessGrammar of(List<Line> lines, Hints hints) throws IOException {
    Optional<AccessGrammar> extended = AccessExtended.of(lines, hints);
    if (extended.isPresent()) {
      return extended.get();
    }
    Optional<AccessGrammar> text = AccessText.of(lines, hints);
    return text.isPresent() ? text.get() : AccessKeys.of(lines, hints);
  }
}
