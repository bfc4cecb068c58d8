package io.gcdiag.read.load;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.time.InputReport.Remark;
import io.gcdiag.read.bytes.InputFormat.Outcome;
import io.gcdiag.read.bytes.Line;
import io.gcdiag.read.load.AccessDuration.Choice;
import io.gcdiag.read.load.AccessDuration.Column;
import io.gcdiag.read.load.AccessDuration.Hints;
import io.gcdiag.read.load.AccessDuration.Written;
import io.gcdiag.read.load.AccessNumber.Unit;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Lines of the W3C's extended log format, whose fields a directive names: {@code #Fields: date time
 * cs-method cs-uri sc-status time-taken}. It may come again with others. By the W3C's draft times
 * are UTC and those of the end, and durations seconds; IIS writes whole milliseconds.
 */
final class AccessExtended implements AccessGrammar {

  private static final String FIELDS = "#Fields:";
  private static final String TAKEN = "time-taken";
  private static final Choice SECONDS = new Choice(0, Unit.S, Outcome.COMPLETE);

  private final Line first;
  private final String duration;
  private final Choice choice;
  private int[] from = {};
  private int[] to = {};
  private int date;
  private int method;
  private int path;
  private int status;
  private int taken;

  /**
   * Without lines.
   *
   * @param first directive of fields; a file that was cut may have lines before it
   * @param duration the name of the field
   * @param choice with its unit
   */
  private AccessExtended(Line first, String duration, Choice choice) {
    this.first = first;
    this.duration = duration;
    this.choice = choice;
    directive(first);
  }

  static boolean recognises(List<Line> lines) {
    return first(lines).isPresent();
  }

  private static Optional<Line> first(List<Line> lines) {
    return lines.stream()
        .filter(line -> line.startsWith(FIELDS, 0))
        .filter(line -> new AccessExtended(line, TAKEN, SECONDS).isComplete())
        .findFirst();
  }

  private void directive(Line line) {
    if (line.startsWith(FIELDS, 0)) {
      List<String> names = List.of(line.substring(FIELDS.length()).strip().split("\\s+"));
      from = new int[names.size()];
      to = new int[names.size()];
      date = names.indexOf("time") == names.indexOf("date") + 1 ? names.indexOf("date") : -1;
      method = names.indexOf("cs-method");
      path = Math.max(names.indexOf("cs-uri-stem"), names.indexOf("cs-uri"));
      status = names.indexOf("sc-status");
      taken = names.indexOf(duration);
    }
  }

  private boolean isComplete() {
    return date >= 0 && method >= 0 && path >= 0 && status >= 0;
  }

  /** Empty if these are no such lines. */
  static Optional<AccessGrammar> of(List<Line> lines, Hints hints) throws IOException {
    Optional<Line> first = first(lines);
    if (first.isEmpty()) {
      return Optional.empty();
    }
    // Tomcat has from 10 on time-taken-ms, -us, -ns and -fracsec beside whole seconds.
    String name =
        Arrays.stream(first.get().toString().split("\\s+"))
            .filter(one -> one.startsWith(TAKEN + "-"))
            .findFirst()
            .orElse(TAKEN);
    AccessExtended reader = new AccessExtended(first.get(), name, SECONDS);
    AccessEntry entry = new AccessEntry();
    Column column = new Column("", lines.size());
    double[] written = new double[lines.size()];
    Arrays.fill(written, Double.NaN);
    for (int l = 0; l < written.length; l++) {
      if (reader.read(lines.get(l), entry) == Kind.REQUEST) {
        written[l] = entry.time.second();
        column.add(l, entry.number);
      }
    }
    Optional<Unit> known = Optional.empty();
    if (name.equals(TAKEN)) {
      boolean iis = isStated("sc-win32-status", lines) || isStated("Microsoft", lines);
      known = column.isPlain() && !iis ? known : Optional.of(iis ? Unit.MS : Unit.S);
      boolean mapped = hints.meanings().containsValue(MetricMeaning.LATENCY);
      if (known.isEmpty() && isStated("Apache Tomcat", lines) && !mapped) {
        throw new AccessDuration.MissingException(
            "time-taken is in whole seconds; log time-taken-ms in its place", Remark.NOT_USED);
      }
    }
    var candidates = List.of(column.candidate(name, known)).subList(0, Math.min(1, column.count()));
    Choice choice = AccessDuration.choose(candidates, new Written(written), hints);
    return Optional.of(new AccessExtended(first.get(), name, choice));
  }

  private static boolean isStated(String words, List<Line> lines) {
    return lines.stream().anyMatch(line -> line.startsWith("#", 0) && line.contains(words));
  }

  @Override
  public Outcome outcome() {
    return choice.outcome();
  }

  @Override
  public Optional<Boolean> isStart() {
    return Optional.of(false);
  }

  @Override
  public boolean needsOrder() {
    return true;
  }

  @Override
  public AccessGrammar another() {
    return new AccessExtended(first, duration, choice);
  }

  @Override
  public Kind read(Line line, AccessEntry entry) {
    entry.clear();
    if (line.charAt(0) == '#') {
      directive(line);
      return Kind.NONE;
    }
    if (!isComplete() || !split(line) || !entry.time.read(line, from[date], to[date + 1])) {
      return Kind.DAMAGED;
    }
    if (entry.number.read(line, from[status], to[status])) {
      entry.status = (int) entry.number.value();
    }
    entry.text = line;
    entry.methodFrom = from[method];
    entry.methodTo = to[method];
    entry.pathFrom = from[path];
    entry.pathTo = to[path];
    if (taken < 0 || !entry.number.read(line, from[taken], to[taken])) {
      return entry.hasFailed() ? Kind.NONE : Kind.DAMAGED;
    }
    entry.latency = Math.round(entry.number.value() * choice.unit().nanos);
    return Kind.REQUEST;
  }

  /** Between tabs, or blanks where there are none; false if these are not as many as named. */
  private boolean split(Line line) {
    char blank = line.indexOf('\t', 0) < 0 ? ' ' : '\t';
    int fields = 0;
    int at = 0;
    while (at < line.length()) {
      if (line.charAt(at) == blank) {
        at++;
      } else if (fields == from.length) {
        return false;
      } else {
        from[fields] = at;
        at = end(line, at, blank);
        to[fields++] = at;
      }
    }
    return fields == from.length;
  }

  /** The position behind a field. Quotes enclose blanks; a quote in the value is doubled. */
  private static int end(Line line, int start, char blank) {
    int quote = line.charAt(start) == '"' ? line.indexOf('"', start + 1) : -1;
    while (quote > 0 && quote + 1 < line.length() && line.charAt(quote + 1) != blank) {
      quote = line.indexOf('"', quote + (line.charAt(quote + 1) == '"' ? 2 : 1));
    }
    int end = line.indexOf(blank, Math.max(start, quote));
    return end < 0 ? line.length() : end;
  }
}
