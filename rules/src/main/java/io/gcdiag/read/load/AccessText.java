package io.gcdiag.read.load;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.read.bytes.InputFormat.Outcome;
import io.gcdiag.read.bytes.Line;
import io.gcdiag.read.load.AccessDuration.Candidate;
import io.gcdiag.read.load.AccessDuration.Choice;
import io.gcdiag.read.load.AccessDuration.Column;
import io.gcdiag.read.load.AccessDuration.Hints;
import io.gcdiag.read.load.AccessDuration.Written;
import io.gcdiag.read.load.AccessNumber.Unit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Lines of fields between blanks, one of which is the request: the common log format and all that
 * extend it, HAProxy, Envoy, load balancers of AWS. Servers let their users choose the fields, so
 * the places of time, status and duration are learned from the lines, relative to the request.
 */
final class AccessText implements AccessGrammar {

  /** A place counts if this share of the lines has it. */
  private static final double MOST_LINES = 0.9;

  /** A duration may be missing where nothing was answered. */
  private static final double SOME_LINES = 0.5;

  private static final Pattern AWS =
      Pattern.compile(
          "(?:(?:https?|h2|grpcs|wss?) )?\\d{4}-\\d\\d-\\d\\dT\\S+Z \\S+ \\S+ \\S+"
              + "(?: -1| \\d+(?:\\.\\d+)?){3} \\S+ \\S+ -?\\d+ -?\\d+ \".*");

  private static final Pattern HAPROXY = Pattern.compile("-?\\d+(?:/-?\\d+){3}/[+]?\\d+");

  private static final Pattern ENVOY =
      Pattern.compile("(?:.* )?\\[\\d{4}-\\d\\d-\\d\\dT[^\\]]+Z\\] \"[A-Z-]+ .*");

  /** It names the protocol by the session's: {@code "GET /carts/17#CartService h2c"}. */
  private static final Pattern ARMERIA = Pattern.compile(".* \"[A-Z]+ \\S+ h[12]c?\" .*");

  private static final int STATUS_DIGITS = 3;

  /** More than there are durations in whole milliseconds of nearly all requests. */
  private static final int SLOT_BITS = 10;

  private final AccessFields fields = new AccessFields();
  private final Shape shape;
  private final Duration duration;

  /** Texts of durations, of which many lines have the same, and their nanoseconds, by hash. */
  private final long[] texts = new long[1 << SLOT_BITS];

  private final double[] nanos = new double[1 << SLOT_BITS];

  /** Where things stand, relative to the request. */
  private record Shape(
      Product product, int request, int time, int status, Optional<Integer> timers) {}

  /** The server, where its lines differ from all others. */
  private enum Product {
    AWS("AWS load balancer"),
    HAPROXY("HAProxy"),
    ENVOY("Envoy"),
    ARMERIA("Armeria"),
    OTHER("access log");

    private final String words;

    Product(String words) {
      this.words = words;
    }
  }

  /**
   * Where a number stands.
   *
   * @param offset from the request
   * @param prefix what precedes the number in the field
   */
  private record Place(int offset, String prefix) {}

  /**
   * Where the duration is.
   *
   * @param count fields to be added up
   * @param unit of the numbers
   * @param served the part of it in the server behind a proxy
   * @param outcome why these
   */
  private record Duration(
      Place place, int count, Unit unit, Optional<Place> served, Outcome outcome) {}

  private AccessText(Shape shape, Duration duration) {
    this.shape = shape;
    this.duration = duration;
  }

  static boolean recognises(List<Line> lines) {
    return shape(lines).isPresent();
  }

  /** Empty if these are no such lines. */
  static Optional<AccessGrammar> of(List<Line> lines, Hints hints) throws IOException {
    Optional<Shape> shape = shape(lines);
    return shape.isEmpty()
        ? Optional.empty()
        : Optional.of(new AccessText(shape.get(), duration(lines, shape.get(), hints)));
  }

  private static Optional<Shape> shape(List<Line> lines) {
    AccessFields fields = new AccessFields();
    AccessTime time = new AccessTime();
    SortedMap<Integer, Integer> requests = new TreeMap<>();
    SortedMap<Integer, Integer> times = new TreeMap<>();
    SortedMap<Integer, Integer> statuses = new TreeMap<>();
    SortedMap<Integer, Integer> timers = new TreeMap<>();
    int found = 0;
    int aws = 0;
    int envoy = 0;
    int armeria = 0;
    // Once more lines than these are of another server, the rest need not be looked at.
    double others = (1 - MOST_LINES) * lines.size() + 2;
    for (Line line : lines) {
      fields.split(line);
      int request = fields.request();
      if (request < 0) {
        continue;
      }
      found++;
      requests.merge(request, 1, Integer::sum);
      aws += found - aws <= others && AWS.matcher(line).matches() ? 1 : 0;
      envoy += found - envoy <= others && ENVOY.matcher(line).matches() ? 1 : 0;
      armeria += found - armeria <= others && ARMERIA.matcher(line).matches() ? 1 : 0;
      for (int i = 0; i < fields.size(); i++) {
        int start = start(fields, i);
        if (i != request && time.read(line, start, line.length())) {
          times.merge(i - request, 1, Integer::sum);
        } else if (isStatus(line, start, fields.to(i))) {
          statuses.merge(i - request, 1, Integer::sum);
        } else if (isTimers(fields, i)) {
          timers.merge(i - request, 1, Integer::sum);
        }
      }
    }
    double needed = MOST_LINES * found;
    if (2 * found <= lines.size()) {
      return Optional.empty();
    }
    Optional<Integer> timer = first(timers, needed, Integer.MIN_VALUE);
    Product product =
        aws >= needed
            ? Product.AWS
            : envoy >= needed
                ? Product.ENVOY
                : armeria >= needed
                    ? Product.ARMERIA
                    : timer.isPresent() ? Product.HAPROXY : Product.OTHER;
    // Elsewhere the status follows the request.
    Optional<Integer> status =
        product == Product.AWS
            ? first(statuses, needed, Integer.MIN_VALUE)
            : timer
                .flatMap(after -> first(statuses, needed, after))
                .or(() -> first(statuses, needed, 0))
                .or(() -> first(statuses, needed, Integer.MIN_VALUE));
    // What collects logs may put the time of writing in front; these have that of the start.
    boolean own = product == Product.HAPROXY || product == Product.ENVOY;
    Optional<Integer> at = own ? last(times, needed) : first(times, needed, Integer.MIN_VALUE);
    if (at.isEmpty() || status.isEmpty()) {
      return Optional.empty();
    }
    int usual =
        requests.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    return Optional.of(new Shape(product, usual, at.get(), status.get(), timer));
  }

  private static Optional<Integer> first(
      SortedMap<Integer, Integer> counts, double needed, int after) {
    return counts.entrySet().stream()
        .filter(count -> count.getKey() > after && count.getValue() >= needed)
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** The last one before the request. */
  private static Optional<Integer> last(SortedMap<Integer, Integer> counts, double needed) {
    return counts.headMap(0).entrySet().stream()
        .filter(count -> count.getValue() >= needed)
        .map(Map.Entry::getKey)
        .reduce((one, later) -> later);
  }

  /** Where the value begins: behind {@code name=} and a quote. */
  private static int start(AccessFields fields, int field) {
    Line line = fields.line();
    int end = fields.to(field);
    int at = fields.from(field);
    char first = at < end ? line.charAt(at) : ' ';
    if (first >= '0' && first <= '9' || first == '-' || first == '/') {
      return at;
    }
    while (at < end && isOfName(line.charAt(at))) {
      at++;
    }
    boolean named = at < end && (line.charAt(at) == '=' || line.charAt(at) == ':');
    if (!named || first == '.' || at == fields.from(field) || line.startsWith("//", at + 1)) {
      return fields.from(field);
    }
    return at + 1 < end && line.charAt(at + 1) == '"' ? at + 2 : at + 1;
  }

  /** Where it ends: before the quote if it begins behind one. */
  private static int end(AccessFields fields, int field, int start) {
    int to = fields.to(field);
    boolean quoted =
        start > fields.from(field)
            && to > start
            && fields.line().charAt(start - 1) == '"'
            && fields.line().charAt(to - 1) == '"';
    return quoted ? to - 1 : to;
  }

  private static boolean isOfName(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c) || "_.-".indexOf(c) >= 0;
  }

  private static boolean isStatus(Line line, int from, int to) {
    return to - from == STATUS_DIGITS
        && line.charAt(from) >= '1'
        && line.charAt(from) <= '5'
        && isDigit(line.charAt(from + 1))
        && isDigit(line.charAt(from + 2));
  }

  private static boolean isTimers(AccessFields fields, int field) {
    int slash = fields.line().indexOf('/', fields.from(field));
    return slash > 0 && slash < fields.to(field) && HAPROXY.matcher(fields.text(field)).matches();
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static Duration duration(List<Line> lines, Shape shape, Hints hints) throws IOException {
    switch (shape.product()) {
      case AWS:
        // Before the status are the times until the request was sent on, answered, and sent back.
        Place first = new Place(shape.status() - 3, "");
        Place target = new Place(shape.status() - 2, "");
        return new Duration(first, 3, Unit.S, Optional.of(target), Outcome.COMPLETE);
      case HAPROXY:
        Place timers = new Place(shape.timers().orElseThrow(), "");
        return new Duration(timers, 1, Unit.MS, Optional.of(timers), Outcome.COMPLETE);
      default:
        return chosen(lines, shape, hints);
    }
  }

  private static Duration chosen(List<Line> lines, Shape shape, Hints hints) throws IOException {
    AccessFields fields = new AccessFields();
    AccessNumber number = new AccessNumber();
    AccessTime time = new AccessTime();
    SortedMap<Integer, Column> columns = new TreeMap<>();
    double[] written = new double[lines.size()];
    Arrays.fill(written, Double.NaN);
    int read = 0;
    for (int l = 0; l < lines.size(); l++) {
      fields.split(lines.get(l));
      int request = fields.request();
      int at = request + shape.time();
      if (request < 0
          || at < 0
          || at >= fields.size()
          || !time.read(fields.line(), start(fields, at), fields.line().length())) {
        continue;
      }
      written[l] = time.second();
      read++;
      for (int i = 0; i < fields.size(); i++) {
        int offset = i - request;
        int start = start(fields, i);
        boolean plain = start == fields.from(i);
        if (offset != 0
            && offset != shape.time()
            && offset != shape.status()
            && (offset > 0 || !plain)
            && number.read(fields.line(), start, end(fields, i, start))) {
          String prefix = fields.line().substring(fields.from(i), start);
          columns.computeIfAbsent(offset, any -> new Column(prefix, lines.size())).add(l, number);
        }
      }
    }
    int seen = read;
    columns.values().removeIf(column -> column.count() < SOME_LINES * seen);
    // In nearly all formats the size of the response follows the status; it has no fraction.
    Column size = columns.get(shape.status() + 1);
    boolean mapped = hints.meanings().containsValue(MetricMeaning.LATENCY);
    if (size != null && size.prefix.isEmpty() && size.isPlain() && !mapped) {
      columns.remove(shape.status() + 1);
    }
    List<Integer> offsets = new ArrayList<>(columns.keySet());
    if (shape.product() == Product.ENVOY) {
      // Bytes received and sent, the duration, the time of the service: four numbers in a row.
      for (int offset : offsets) {
        if (columns.containsKey(offset + 1)
            && columns.get(offset).prefix.isEmpty()
            && !columns.containsKey(offset - 1)) {
          Optional<Place> served =
              Optional.of(new Place(offset + 3, "")).filter(at -> columns.containsKey(offset + 3));
          return new Duration(new Place(offset + 2, ""), 1, Unit.MS, served, Outcome.COMPLETE);
        }
      }
    }
    List<Candidate> candidates =
        offsets.stream().map(offset -> candidate(columns.get(offset), offset, shape)).toList();
    Choice choice = AccessDuration.choose(candidates, new Written(written), hints);
    List<Place> places =
        offsets.stream().map(offset -> new Place(offset, columns.get(offset).prefix)).toList();
    Optional<Place> served =
        AccessDuration.served(candidates, choice.field())
            .filter(one -> one.stated().orElse(choice.unit()) == choice.unit())
            .map(one -> places.get(candidates.indexOf(one)));
    return new Duration(places.get(choice.field()), 1, choice.unit(), served, choice.outcome());
  }

  private static Candidate candidate(Column column, int offset, Shape shape) {
    return column.candidate(
        column.prefix.isEmpty()
            ? "field " + (shape.request() + offset + 1)
            : column.prefix.replaceAll("[=:]?\"?$", ""),
        Optional.empty());
  }

  @Override
  public String producer() {
    return shape.product().words;
  }

  @Override
  public Outcome outcome() {
    return duration.outcome();
  }

  @Override
  public Optional<Boolean> isStart() {
    return switch (shape.product()) {
      case AWS -> Optional.of(false);
      case ENVOY, HAPROXY, ARMERIA -> Optional.of(true);
      case OTHER -> Optional.empty();
    };
  }

  @Override
  public AccessGrammar another() {
    return new AccessText(shape, duration);
  }

  @Override
  public Kind read(Line line, AccessEntry entry) {
    entry.clear();
    fields.split(line);
    int request = shape.request();
    if (request >= fields.size() || !fields.isRequest(request)) {
      request = fields.request();
    }
    boolean none = request < 0;
    int base = none ? shape.request() : request;
    int time = base + shape.time();
    int status = base + shape.status();
    if (time < 0 || status < 0 || time >= fields.size() || status >= fields.size()) {
      return Kind.DAMAGED;
    }
    if (!entry.time.read(line, start(fields, time), line.length())) {
      return Kind.DAMAGED;
    }
    if (none) {
      // Scanners send anything, and browsers connect without sending a request.
      return Kind.NONE;
    }
    request(line, request, entry);
    int digits = start(fields, status);
    if (isStatus(line, digits, fields.to(status))) {
      entry.status =
          (line.charAt(digits) - '0') * 100
              + (line.charAt(digits + 1) - '0') * 10
              + line.charAt(digits + 2)
              - '0';
    }
    entry.latency = latency(line, request, entry.number);
    if (duration.served().isPresent()) {
      entry.served = served(line, request, duration.served().get(), entry.number);
    }
    return entry.latency >= 0
        ? Kind.REQUEST
        : entry.status == AccessEntry.NO_STATUS || entry.hasFailed() ? Kind.NONE : Kind.DAMAGED;
  }

  private void request(Line line, int request, AccessEntry entry) {
    int method = fields.methodEnd();
    int end = method == fields.to(request) ? fields.to(request + 1) : fields.to(request);
    entry.request(line, fields.from(request), method, end);
  }

  private long latency(Line line, int request, AccessNumber number) {
    double sum = 0;
    for (int i = 0; i < duration.count(); i++) {
      int field = field(request, line, duration.place()) + i;
      int from =
          shape.product() == Product.HAPROXY && field >= 0 && field < fields.size()
              ? behindLast(line, fields.from(field), fields.to(field))
              : -1;
      double one = nanos(line, field, from, duration.place().prefix(), number);
      if (one < 0) {
        return -1;
      }
      sum += one;
    }
    return Math.round(sum);
  }

  private long served(Line line, int request, Place part, AccessNumber number) {
    int field = field(request, line, part);
    return shape.product() == Product.HAPROXY
        ? field >= 0 && field < fields.size() ? behindQueue(fields.text(field)) : -1
        : Math.round(nanos(line, field, -1, part.prefix(), number));
  }

  /**
   * Of {@code TR/Tw/Tc/Tr/Ta}: all without the wait for the client's request (TR) and in the
   * proxy's queue (Tw); below 0 if the request was not sent on.
   */
  private static long behindQueue(String timers) {
    String[] parts = timers.split("/");
    int all = parts.length - 1;
    if (Stream.of(parts).limit(all).anyMatch(part -> part.startsWith("-"))) {
      return -1;
    }
    long millis =
        Long.parseLong(parts[all].replace("+", ""))
            - Long.parseLong(parts[0])
            - Long.parseLong(parts[1]);
    return Math.round(millis * Unit.MS.nanos);
  }

  /**
   * Of the number of a field; below 0 if it has none.
   *
   * @param behind where it begins; below 0 for behind the prefix
   */
  private double nanos(Line line, int field, int behind, String prefix, AccessNumber number) {
    if (field < 0 || field >= fields.size()) {
      return -1;
    }
    int from = behind < 0 ? fields.from(field) + prefix.length() : behind;
    return nanos(line, from, end(fields, field, from), number);
  }

  /** Of one number; below 0 if it is none. */
  private double nanos(Line line, int from, int to, AccessNumber number) {
    long text = line.shortText(from, to);
    int slot = Line.slot(text, SLOT_BITS);
    if (text == 0 || texts[slot] != text) {
      texts[slot] = text;
      nanos[slot] =
          number.read(line, from, to)
              ? number.value() * number.unit().orElse(duration.unit()).nanos
              : -1;
    }
    return nanos[slot];
  }

  private static int behindLast(Line line, int from, int to) {
    int at = to;
    while (at > from && line.charAt(at - 1) != '/' && line.charAt(at - 1) != '+') {
      at--;
    }
    return at;
  }

  /** The field of a number; a named one may stand elsewhere. */
  private int field(int request, Line line, Place place) {
    int usual = request + place.offset();
    String prefix = place.prefix();
    if (prefix.isEmpty()
        || usual >= 0 && usual < fields.size() && line.startsWith(prefix, fields.from(usual))) {
      return usual;
    }
    for (int i = 0; i < fields.size(); i++) {
      if (line.startsWith(prefix, fields.from(i))) {
        return i;
      }
    }
    return -1;
  }
}
