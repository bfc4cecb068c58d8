package io.gcdiag.read.text;

import io.gcdiag.evidence.threads.LoggedError.Kind;
import io.gcdiag.units.Durations;
import io.gcdiag.units.ResourceText;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a message in a log says of the JVM, whatever stands before it. The messages stand in {@code
 * log-messages.txt}.
 *
 * @param kind what it says
 * @param subject the pool, thread, process or message; may be empty
 */
record LogMessage(Kind kind, String subject) {

  /** A line of the file; few patterns are needed for a log, and a pattern takes time to make. */
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

  /** One of these stands in every such line, and in most that {@link PoolStats} reads. */
  static final List<String> MARKS =
      Stream.concat(Stream.of(PoolStats.MARK), FORMS.stream().map(form -> form.mark))
          .distinct()
          .toList();

  /** What a collector took of a time, as Elasticsearch and OpenSearch write it. */
  private static final Pattern SPENT =
      Pattern.compile("spent \\[([^]]+)] collecting in the last \\[([^]]+)]");

  /** Whether a line may be one, at the price of a look. */
  static boolean isPossible(String line) {
    return MARKS.stream().anyMatch(line::contains);
  }

  /** What a line says; empty for all but a few. */
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
