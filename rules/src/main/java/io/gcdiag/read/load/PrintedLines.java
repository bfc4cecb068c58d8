package io.gcdiag.read.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A load generator's printed output, with a pattern for each kind of line. */
final class PrintedLines {

  private final Map<Pattern, Consumer<Printed>> kinds = new LinkedHashMap<>();

  /** Lines of this kind, unless an earlier pattern matches. */
  PrintedLines on(String pattern, Consumer<Printed> take) {
    kinds.put(Pattern.compile(pattern), take);
    return this;
  }

  /** Passes on each line of a kind that is known. */
  void read(Reader text) throws IOException {
    BufferedReader lines = new BufferedReader(text);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      take(line);
    }
  }

  private void take(String line) {
    for (Map.Entry<Pattern, Consumer<Printed>> kind : kinds.entrySet()) {
      Matcher matcher = kind.getKey().matcher(line);
      if (matcher.matches()) {
        kind.getValue().accept(new Printed(matcher));
        return;
      }
    }
  }

  /** A line that matched, by the groups of its pattern. */
  record Printed(MatchResult match) {

    String text(int group) {
      return match.group(group);
    }

    long count(int group) {
      return LoadFigures.count(text(group));
    }

    double figure(int group) {
      return LoadFigures.figure(text(group));
    }

    Duration millis(int group) {
      return LoadFigures.millis(figure(group));
    }

    Duration seconds(int group) {
      return LoadFigures.seconds(figure(group));
    }

    Optional<Duration> time(int group) {
      return LoadFigures.time(text(group));
    }
  }
}
