package io.gcdiag.read.dumps;

import io.gcdiag.evidence.threads.LoggedError.Kind;
import io.gcdiag.units.Durations;
import io.gcdiag.units.ResourceText;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The meaning of a log message, whatever its prefix. The messages are in {@code log-messages.txt}.
 *
 * @param kind what it reports
 * @param subject the pool, thread, process or message; may be empty
 */
record LogMessage(Kind kind, String subject) {

  /** A line of the file; its pattern is compiled on demand, because a log needs only a few. */
  private static final class Form {
    private final Kind kind;
    private final String mark;
    private final String expression;
    private Optional<Pattern> pattern = Optional.empty();

    private Form(String line) {
      String[] parts = line.split("\t");
      kind = Kind.valueOf(parts[0]);
      mark = parts[1];
      expression = parts[2];
    }

    Optional<LogMessage> in(String line) {
      if (!line.contains(mark)) {
        return Optional.empty();
      }
      Pattern known = pattern.orElseGet(() -> Pattern.compile(expression));
      pattern = Optional.of(known);
      Matcher matcher = known.matcher(line);
      return matcher.find()
          ? Optional.of(new LogMessage(kind, Optional.ofNullable(matcher.group(1)).orElse("")))
          : Optional.empty();
    }
  }

  private static final List<Form> FORMS =
      ResourceText.lines(LogMessage.class, "log-messages.txt").stream().map(Form::new).toList();

  /**
   * Each relevant line contains one of these, and so do most lines that {@link PoolStats} reads.
   */
  static final List<String> MARKS =
      Stream.concat(Stream.of(PoolStats.MARK), FORMS.stream().map(form -> form.mark))
          .distinct()
          .toList();

  /** Share of time in GC, as Elasticsearch and OpenSearch write it. */
  private static final Pattern SPENT =
      Pattern.compile("spent \\[([^]]+)] collecting in the last \\[([^]]+)]");

  /** Whether a line may be relevant; a fast check. */
  static boolean isPossible(String line) {
    return MARKS.stream().anyMatch(line::contains);
  }

  /** The meaning of a line; empty for all but a few. */
  static Optional<LogMessage> in(String line) {
    return FORMS.stream()
        .flatMap(form -> form.in(line).stream())
        .filter(message -> message.kind() != Kind.COLLECTOR_BUSY || isMost(message.subject()))
        .findFirst();
  }

  /** Elasticsearch writes the same of a quarter and of a tenth of the time, at lower levels. */
  private static boolean isMost(String overhead) {
    Matcher times = SPENT.matcher(overhead);
    return times.matches()
        && Durations.parse(times.group(1))
                .multipliedBy(2)
                .compareTo(Durations.parse(times.group(2)))
            > 0;
  }
}
