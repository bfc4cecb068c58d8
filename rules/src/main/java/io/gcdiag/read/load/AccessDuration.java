package io.gcdiag.read.load;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Remark;
import io.gcdiag.read.bytes.InputFormat.Outcome;
import io.gcdiag.read.load.AccessNumber.Unit;
import io.gcdiag.units.Durations;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Which number of the lines is the duration, and its unit. A name or a unit in the file says so;
 * else the numbers do: with the wrong unit a service would answer faster or slower than any, or
 * have more requests in progress than any. Where two units are possible or none, a load test,
 * traces or meters beside the log may tell; else the user is asked.
 */
final class AccessDuration {

  /** Names with a unit at their end, such as {@code duration_ms}, {@code tookMillis}. */
  private static final Pattern WITH_UNIT =
      Pattern.compile(
          "(.+?)[_.]?(nanoseconds|nanos|ns|microseconds|micros|usec|us|milliseconds|millis|msec|ms"
              + "|seconds|secs|sec|s)",
          Pattern.CASE_INSENSITIVE);

  /** No server answers every hundredth request sooner. */
  private static final double LEAST_SECONDS = 20e-6;

  /** A service of which only every hundredth request is faster than this is not in use. */
  private static final double SLOWEST_SECONDS = 2;

  /** Clients give up sooner: of all requests only one in a hundred may take longer. */
  private static final double LONGEST_SECONDS = 120;

  /** More than the threads of a server, five times as many as Tomcat has. */
  private static final double MOST_IN_PROGRESS = 1_000;

  /** Lines of requests that end together may be written in another order, by seconds. */
  private static final double LONGEST_WRITE = 2;

  /** {@code 0.012}: seconds as nginx, Tomcat and load balancers write them. */
  private static final int MILLI_DECIMALS = 3;

  /** The log may cover more of the slow time than the test; less than from one unit to the next. */
  private static final double LONGER = 5;

  /** A user's mean and the server's differ by less; from one unit to the next it is a thousand. */
  private static final double ABOUT = 10;

  /**
   * A field that holds numbers.
   *
   * @param name as in the file, or {@code field 11}
   * @param values in the lines that have the field; negative where it is no number
   * @param decimals the most digits behind the point
   * @param sameDecimals whether each has as many
   * @param unit what follows the numbers
   */
  record Candidate(
      String name, double[] values, int decimals, boolean sameDecimals, Optional<Unit> unit) {

    double[] known() {
      return Arrays.stream(values).filter(value -> value >= 0).sorted().toArray();
    }

    /** The unit behind its values or at the end of its name. */
    Optional<Unit> stated() {
      return unit.or(() -> named(name.substring(name.lastIndexOf('.') + 1)));
    }

    private static Optional<Unit> named(String name) {
      Matcher match = WITH_UNIT.matcher(name);
      boolean camel = match.matches() && Character.isUpperCase(name.charAt(match.start(2)));
      if (!match.matches() || !camel && !name.contains("_") && match.group(2).length() < 2) {
        return Optional.empty();
      }
      return Optional.of(unitOf(match.group(2).toLowerCase(Locale.ROOT)));
    }

    private static Unit unitOf(String word) {
      return switch (word.charAt(0)) {
        case 'n' -> Unit.NS;
        case 'm' -> word.startsWith("mic") ? Unit.US : Unit.MS;
        case 'u' -> Unit.US;
        default -> Unit.S;
      };
    }

    private String lastName() {
      return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    /** Its place among the names of durations; empty if it has no such name. */
    private Optional<Integer> rank() {
      String last = lastName();
      Matcher match = WITH_UNIT.matcher(last);
      List<String> names = AccessKeys.NAMES.get("whole");
      int whole = names.indexOf(last);
      int rank = whole >= 0 || !match.matches() ? whole : names.indexOf(match.group(1));
      return rank < 0 ? Optional.empty() : Optional.of(rank);
    }

    private boolean varies() {
      double[] all = known();
      return all.length > 0 && all[0] < all[all.length - 1];
    }
  }

  /** A field of numbers being collected. */
  static final class Column {
    final String prefix;
    private final double[] values;
    private int count;
    private int decimals = -1;
    private boolean sameDecimals = true;
    private Optional<Unit> unit = Optional.empty();

    /**
     * Without numbers.
     *
     * @param prefix what precedes each number in its field
     */
    Column(String prefix, int lines) {
      this.prefix = prefix;
      values = new double[lines];
      Arrays.fill(values, -1);
    }

    void add(int line, AccessNumber number) {
      values[line] = number.value();
      count++;
      // nginx writes 0.000; other zeros say nothing of the digits.
      sameDecimals &= decimals < 0 || number.decimals() == decimals;
      decimals = Math.max(decimals, number.decimals());
      unit = unit.or(number::unit);
    }

    int count() {
      return count;
    }

    /** Whether its numbers have neither a fraction nor a unit. */
    boolean isPlain() {
      return decimals == 0 && unit.isEmpty();
    }

    /** Of that name, in that unit if it is known of all its numbers. */
    Candidate candidate(String name, Optional<Unit> known) {
      return new Candidate(name, values, decimals, sameDecimals, known.or(() -> unit));
    }
  }

  /**
   * What was chosen.
   *
   * @param field its place in the list of candidates
   * @param unit of its numbers
   * @param outcome with the reason, where another field may be a duration as well
   */
  record Choice(int field, Unit unit, Outcome outcome) {}

  /**
   * What is known beside the log.
   *
   * @param meanings what the user says: names of fields, with a unit after a colon if need be
   * @param usersSeconds mean latencies by load tests, traces and meters of the same service
   * @param serversSeconds those of them that were measured as the log's are, by traces
   * @param jvmStart when the JVM of a recording started, in seconds of the epoch; empty if unknown
   */
  record Hints(
      Map<String, MetricMeaning> meanings,
      double[] usersSeconds,
      double[] serversSeconds,
      OptionalDouble jvmStart) {

    /** A server answers no later than its users see it; the log may begin before they are slow. */
    private static boolean fits(double mean, Unit unit, double[] others) {
      double seconds = mean * unit.nanos / Unit.S.nanos;
      return Arrays.stream(others).anyMatch(users -> seconds <= LONGER * users);
    }

    /** Whether the log's mean in that unit is about that of another file. */
    private boolean agree(double mean, Unit unit) {
      return Arrays.stream(usersSeconds)
          .map(users -> mean * unit.nanos / Unit.S.nanos / users)
          .anyMatch(apart -> apart <= ABOUT && apart >= 1 / ABOUT);
    }
  }

  /**
   * When lines were written.
   *
   * @param at in seconds of the epoch, UTC, for each line; not a number where it is unknown
   */
  record Written(double[] at) {

    /** From the first to the last, at least one second. */
    private double seconds() {
      double[] known = Arrays.stream(at).filter(time -> !Double.isNaN(time)).sorted().toArray();
      return known.length == 0 ? 1 : Math.max(1, known[known.length - 1] - known[0]);
    }

    /**
     * Whether requests of that length would have begun before the JVM started, if the times are of
     * their ends, and would have ended in another order than that of the lines, if of their starts.
     */
    private boolean contradicts(Candidate field, double scale, OptionalDouble jvmStart) {
      double start = jvmStart.orElse(Double.NEGATIVE_INFINITY);
      return IntStream.range(0, at.length)
              .anyMatch(
                  i -> field.values()[i] >= 0 && at[i] + 1 - field.values()[i] * scale < start)
          && !isInOrder(field, scale);
    }

    /** Whether lines are in the order in which requests of that length from those times end. */
    private boolean isInOrder(Candidate field, double scale) {
      double latest = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < at.length; i++) {
        double end = at[i] + field.values()[i] * scale;
        if (field.values()[i] >= 0 && end < latest - LONGEST_WRITE) {
          return false;
        }
        latest = field.values()[i] >= 0 && end > latest ? end : latest;
      }
      return true;
    }
  }

  /**
   * Chooses.
   *
   * @param lines when the lines were written
   * @param hints what is known beside the log
   * @throws IOException with what to add, if no number can be a duration or its unit is not clear
   */
  static Choice choose(List<Candidate> fields, Written lines, Hints hints) throws IOException {
    for (int i = 0; i < fields.size(); i++) {
      Candidate field = fields.get(i);
      if (hints.meanings.get(field.name()) == MetricMeaning.LATENCY) {
        return choice(i, fields, lines, hints, Outcome.COMPLETE);
      }
      for (Unit unit : Unit.values()) {
        if (hints.meanings.get(field.name() + ":" + unit.word()) == MetricMeaning.LATENCY) {
          return new Choice(i, unit, Outcome.COMPLETE);
        }
      }
    }
    int field = field(fields);
    Candidate whole = fields.get(field);
    boolean parted =
        fields.stream().anyMatch(one -> one != whole && one.varies() && isPart(one, whole));
    String note = parted ? "the whole time is " + whole.name() + ", beside a part of it" : "";
    return choice(field, fields, lines, hints, Outcome.complete(note));
  }

  private static int field(List<Candidate> fields) throws IOException {
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      all.add(i);
    }
    Optional<Integer> named =
        all.stream()
            .filter(i -> fields.get(i).rank().isPresent())
            .min(Comparator.comparing(i -> fields.get(i).rank().orElseThrow()));
    if (named.isPresent()) {
      return named.get();
    }
    // The time of the whole request is longer than that of its call to the next server.
    Comparator<Integer> bySum =
        Comparator.comparingDouble(i -> Arrays.stream(fields.get(i).known()).sum());
    Optional<Integer> plain =
        all.stream()
            .filter(i -> isSeconds(fields.get(i)) || fields.get(i).unit().isPresent())
            .max(bySum);
    if (plain.isPresent()) {
      return plain.get();
    }
    List<Integer> numbers = all.stream().filter(i -> fields.get(i).varies()).toList();
    Optional<Integer> finest = numbers.stream().max(bySum);
    if (numbers.size() > 1
        && beside(fields.get(finest.get()), fields).isEmpty()
        && !numbers.stream().allMatch(i -> isPart(fields.get(i), fields.get(finest.get())))) {
      throw new IOException(
          "several numbers may be the duration: "
              + numbers.stream().map(i -> fields.get(i).name()).collect(Collectors.joining(", "))
              + "; say which, and its unit: --map '"
              + fields.get(finest.get()).name()
              + ":ms=latency'");
    }
    return finest.orElseThrow(
        () ->
            new MissingException(
                "no durations of requests; log them: $request_time (nginx),"
                    + " %D (Apache httpd, Tomcat, Jetty, Undertow),"
                    + " server.tomcat.accesslog.pattern='%h %l %u %t \"%r\" %s %b %D' (Spring Boot),"
                    + " quarkus.http.access-log.pattern with %D and"
                    + " quarkus.http.record-request-start-time=true (Quarkus),"
                    + " %DURATION% (Envoy), time-taken (W3C)",
                Remark.NO_DURATIONS));
  }

  /**
   * The field with the part of the duration that a proxy waits for the server: by its name, or,
   * beside seconds as nginx writes them, the longest other one that is in no line longer.
   */
  static Optional<Candidate> served(List<Candidate> fields, int duration) {
    Candidate whole = fields.get(duration);
    return fields.stream()
        .filter(one -> AccessKeys.NAMES.get("served").contains(one.lastName()))
        .findFirst()
        .or(
            () ->
                fields.stream()
                    .filter(one -> one != whole && one.rank().isEmpty())
                    .filter(one -> isSeconds(whole) && isSeconds(one) && one.varies())
                    .filter(one -> isWithin(one, whole))
                    .max(Comparator.comparingDouble(one -> Arrays.stream(one.known()).sum())));
  }

  private static boolean isWithin(Candidate part, Candidate whole) {
    double digit = Math.pow(10, -MILLI_DECIMALS);
    return IntStream.range(0, part.values().length)
        .allMatch(i -> whole.values()[i] < 0 || part.values()[i] <= whole.values()[i] + digit);
  }

  /** No field of the log can be the duration; the message says how to log it. */
  static final class MissingException extends IOException {
    private static final long serialVersionUID = 1;

    private final Remark remark;

    MissingException(String message, Remark remark) {
      super(message);
      this.remark = remark;
    }

    /** The file as read, with nothing of it used: nothing is lost, the server never wrote them. */
    Outcome outcome() {
      return new Outcome(true, "access log" + InputReport.NOT_USED + getMessage(), remark);
    }
  }

  /** Whether a field has the time until the response began, as Tomcat's %F beside %D. */
  private static boolean isPart(Candidate part, Candidate whole) {
    return begins(part, 1, whole) || begins(part, THOUSAND, whole);
  }

  /**
   * Never more than the whole, and in most lines half of it or more.
   *
   * @param scale its unit in that of the whole
   */
  private static boolean begins(Candidate part, int scale, Candidate whole) {
    double[] begun = part.values();
    double[] ended = whole.values();
    int[] both =
        IntStream.range(0, begun.length).filter(i -> begun[i] >= 0 && ended[i] >= 0).toArray();
    return Arrays.stream(both).allMatch(i -> scale * begun[i] <= ended[i] + scale)
        && 2 * Arrays.stream(both).filter(i -> 2 * scale * (begun[i] + 1) >= ended[i]).count()
            > both.length;
  }

  private static boolean isSeconds(Candidate field) {
    return field.decimals() == MILLI_DECIMALS && field.sameDecimals();
  }

  private static Choice choice(
      int index, List<Candidate> fields, Written lines, Hints hints, Outcome outcome)
      throws IOException {
    Candidate field = fields.get(index);
    boolean inSeconds = isSeconds(field) && !lines.contradicts(field, 1, hints.jvmStart);
    Optional<Unit> known =
        field.stated().or(() -> inSeconds ? Optional.of(Unit.S) : beside(field, fields));
    if (known.isPresent()) {
      return new Choice(index, known.get(), outcome);
    }
    Set<Unit> possible = possible(field, lines, hints, SLOWEST_SECONDS);
    double mean = Arrays.stream(field.known()).average().orElse(0);
    if (possible.size() > 1) {
      // However long requests queue before the server: the next unit is a thousandth of this one.
      Optional<Unit> longest =
          possible.stream().filter(unit -> Hints.fits(mean, unit, hints.usersSeconds)).findFirst();
      if (longest.isPresent()) {
        return new Choice(index, longest.get(), outcome);
      }
    }
    if (possible.size() != 1) {
      Collection<Unit> left = possible.isEmpty() ? List.of(Unit.values()) : possible;
      List<Unit> agreeing = left.stream().filter(unit -> hints.agree(mean, unit)).toList();
      if (agreeing.size() == 1) {
        Unit unit = agreeing.get(0);
        String taken =
            "%s is taken for %s: only so its mean, %s, is about that of the other files"
                .formatted(
                    field.name(),
                    unit.word(),
                    Durations.format(Durations.ofSeconds(mean * unit.nanos / Unit.S.nanos)));
        return new Choice(index, unit, outcome.and(taken, Remark.NONE));
      }
      throw new IOException(
          "the durations (%s) may be in several units; say which: %s"
              .formatted(
                  field.name(),
                  map(
                      field,
                      possible.isEmpty()
                          ? "ms"
                          : possible.stream().map(Unit::word).collect(Collectors.joining("|")))));
    }
    Unit unit = possible.iterator().next();
    Optional<Unit> longer =
        possible(field, lines, hints, LONGEST_SECONDS).stream()
            .filter(other -> other.nanos > unit.nanos)
            .filter(
                other ->
                    hints.usersSeconds.length == 0 || Hints.fits(mean, other, hints.usersSeconds))
            .findFirst();
    if (longer.isEmpty()) {
      return new Choice(index, unit, outcome);
    }
    double seconds = longer.get().nanos / Unit.S.nanos;
    boolean ofStarts = lines.isInOrder(field, seconds) && !lines.isInOrder(field, 0);
    if (ofStarts || Hints.fits(mean, longer.get(), hints.serversSeconds)) {
      return new Choice(index, longer.get(), outcome);
    }
    double[] values = field.known();
    double slow = values[values.length - 1 - values.length / 100];
    String unsure =
        "%s is taken for %s (P99 %s); not sure: in %s it is %s: say %s"
            .formatted(
                field.name(),
                unit.word(),
                Durations.format(Durations.ofSeconds(slow * unit.nanos / Unit.S.nanos)),
                longer.get().word(),
                Durations.format(Durations.ofSeconds(slow * seconds)),
                map(field, longer.get().word()));
    return new Choice(index, unit, outcome.and(unsure, Remark.UNSURE));
  }

  private static String map(Candidate field, String unit) {
    return "--map '%s:%s=latency'".formatted(field.name(), unit);
  }

  /** Units in which the numbers may be, the longest first, if no service is slower than that. */
  private static Set<Unit> possible(
      Candidate field, Written lines, Hints hints, double slowestSeconds) {
    Set<Unit> possible = EnumSet.noneOf(Unit.class);
    double[] values = field.known();
    // Whole seconds, if most take less than one.
    boolean seldom = values[values.length / 2] == 0 || field.decimals() > 0;
    for (Unit unit : Unit.values()) {
      boolean fits = unit == Unit.S ? seldom : unit == Unit.MS || field.decimals() == 0;
      double scale = unit.nanos / Unit.S.nanos;
      if (fits
          && isPossible(field, unit, lines.seconds(), slowestSeconds)
          && !lines.contradicts(field, scale, hints.jvmStart)) {
        possible.add(unit);
      }
    }
    if (possible.contains(Unit.US)) {
      // Hardly any log counts in nanoseconds without saying so.
      possible.remove(Unit.NS);
    }
    return possible;
  }

  /** From one unit to the next. */
  private static final int THOUSAND = 1_000;

  /** Units of whole numbers, unless there is a second field in seconds. */
  private static final Set<Unit> WHOLE = EnumSet.of(Unit.MS, Unit.US, Unit.NS);

  /** By another field with the same durations in seconds, or in ms until the response began. */
  private static Optional<Unit> beside(Candidate field, List<Candidate> fields) {
    for (Candidate other : fields) {
      if (other == field || !other.varies() || other.unit().isPresent()) {
        continue;
      }
      for (Unit unit : WHOLE) {
        // A thousandth without a fraction may as well be milliseconds beside microseconds.
        boolean plain = other.decimals() > 0 || unit != Unit.MS;
        if (plain && isSame(field, unit, other)) {
          return Optional.of(unit);
        }
      }
      if (begins(other, THOUSAND, field) && !isSame(field, Unit.MS, other)) {
        return Optional.of(Unit.US);
      }
    }
    return Optional.empty();
  }

  /** Whether the other field has the same times in seconds, cut or rounded to its digits. */
  private static boolean isSame(Candidate field, Unit unit, Candidate other) {
    double digit = Math.pow(10, -other.decimals());
    for (int i = 0; i < field.values().length; i++) {
      double seconds = field.values()[i] * unit.nanos / Unit.S.nanos;
      double apart = Math.abs(seconds - other.values()[i]);
      if (field.values()[i] >= 0 && other.values()[i] >= 0 && apart > digit) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPossible(
      Candidate field, Unit unit, double seconds, double slowestSeconds) {
    double[] values = field.known();
    double scale = unit.nanos / Unit.S.nanos;
    int hundredth = values.length / 100;
    double fast = values[hundredth] * scale;
    double slow = values[values.length - 1 - hundredth] * scale;
    double inProgress = Arrays.stream(values).sum() * scale / seconds;
    boolean belowResolution = values[hundredth] == 0 && (unit == Unit.MS || unit == Unit.S);
    return (fast >= LEAST_SECONDS || belowResolution)
        && fast <= slowestSeconds
        && slow <= LONGEST_SECONDS
        && inProgress <= MOST_IN_PROGRESS;
  }
}
