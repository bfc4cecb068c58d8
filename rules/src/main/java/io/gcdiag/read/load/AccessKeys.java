package io.gcdiag.read.load;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.gcdiag.read.bytes.InputFormat.Outcome;
import io.gcdiag.read.bytes.Line;
import io.gcdiag.read.load.AccessDuration.Candidate;
import io.gcdiag.read.load.AccessDuration.Choice;
import io.gcdiag.read.load.AccessDuration.Column;
import io.gcdiag.read.load.AccessDuration.Hints;
import io.gcdiag.read.load.AccessDuration.Written;
import io.gcdiag.read.load.AccessNumber.Unit;
import io.gcdiag.units.ResourceText;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Lines of named values: a JSON object each, or {@code name=value} between blanks. */
final class AccessKeys implements AccessGrammar {

  private static final double MOST_LINES = 0.9;

  /** Part of each JSON log of Envoy and Istio. */
  private static final String ENVOY_FLAGS = "response_flags";

  /** Usual names of the fields, in lower case, by what they hold. */
  static final Map<String, List<String>> NAMES =
      ResourceText.table(AccessKeys.class, "access-names.txt");

  /** Codes of a status are few; a length or a duration has more different values. */
  private static final int MOST_STATUSES = 12;

  private static final Pattern STATUS = Pattern.compile("[1-5]\\d\\d");

  private static final Pattern REQUEST = Pattern.compile("[A-Z]{3,10} /.*");

  private final boolean json;
  private final Names names;
  private final String duration;
  private final Choice choice;
  private final Optional<Candidate> served;
  private final Values values = new Values();

  /** The names in these lines; empty texts for what they do not have. */
  private record Names(
      String time, boolean start, String request, String method, String path, String status) {

    boolean areComplete() {
      return !time.isEmpty() && !status.isEmpty() && (!request.isEmpty() || !path.isEmpty());
    }

    boolean has(String name) {
      return name.equals(time)
          || name.equals(request)
          || name.equals(method)
          || name.equals(path)
          || name.equals(status);
    }
  }

  /** The values of one line by name; nested names are joined with a point. */
  private static final class Values {
    private final Map<String, String> all = new LinkedHashMap<>();
    private final AccessFields fields = new AccessFields();

    boolean read(Line line, boolean json) {
      all.clear();
      return json ? readJson(line.toString()) : readPairs(line);
    }

    private boolean readPairs(Line line) {
      fields.split(line);
      for (int i = 0; i < fields.size(); i++) {
        String text = fields.text(i);
        int sign = text.indexOf('=');
        if (sign > 0) {
          String value = text.substring(sign + 1);
          boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
          all.put(text.substring(0, sign), quoted ? value.substring(1, value.length() - 1) : value);
        }
      }
      return all.size() > 2;
    }

    /** Created on demand, because that takes longer than to read other logs' first lines. */
    private static final class Json {
      static final JsonFactory FACTORY = new JsonFactory();
    }

    private boolean readJson(String text) {
      Deque<String> outer = new ArrayDeque<>();
      String prefix = "";
      try (JsonParser parser = Json.FACTORY.createParser(text)) {
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
          if (token == JsonToken.START_OBJECT) {
            outer.push(prefix);
            String name = parser.currentName();
            prefix = name == null ? prefix : prefix + name + ".";
          } else if (token == JsonToken.END_OBJECT) {
            prefix = outer.pop();
          } else if (token == JsonToken.START_ARRAY) {
            parser.skipChildren();
          } else if (token.isScalarValue() && parser.currentName() != null) {
            all.put(prefix + parser.currentName(), parser.getText());
          }
        }
        return !all.isEmpty();
      } catch (IOException e) {
        return false;
      }
    }

    String get(String name) {
      return name.isEmpty() ? "" : all.getOrDefault(name, "");
    }
  }

  private AccessKeys(
      boolean json, Names names, String duration, Choice choice, Optional<Candidate> served) {
    this.json = json;
    this.names = names;
    this.duration = duration;
    this.choice = choice;
    this.served = served;
  }

  static boolean recognises(List<Line> lines) {
    return names(lines).areComplete();
  }

  private static boolean areJson(List<Line> lines) {
    return 2 * lines.stream().filter(line -> line.startsWith("{", 0)).count() > lines.size();
  }

  private static Names names(List<Line> lines) {
    boolean json = areJson(lines);
    Values values = new Values();
    Map<String, Integer> counts = new HashMap<>();
    Map<String, Integer> times = new HashMap<>();
    Map<String, Integer> statuses = new HashMap<>();
    Map<String, Integer> requests = new TreeMap<>();
    Map<String, Set<String>> codes = new TreeMap<>();
    AccessTime time = new AccessTime();
    AccessNumber number = new AccessNumber();
    int read = 0;
    for (Line line : lines) {
      if (!values.read(line, json)) {
        continue;
      }
      read++;
      values.all.keySet().forEach(name -> counts.merge(name, 1, Integer::sum));
      values.all.forEach(
          (name, text) -> {
            if (time.read(Line.of(text), 0, text.length())) {
              times.merge(name, 1, Integer::sum);
            } else if (text.length() <= 3 && number.read(Line.of(text), 0, text.length())) {
              statuses.merge(name, 1, Integer::sum);
            }
            if (REQUEST.matcher(text).matches()) {
              requests.merge(name, 1, Integer::sum);
            }
            codes
                .computeIfAbsent(name, any -> new HashSet<>())
                .add(STATUS.matcher(text).matches() ? text : "");
          });
    }
    double needed = Math.max(1, MOST_LINES * read);
    if (2 * read <= lines.size()) {
      return new Names("", false, "", "", "", "");
    }
    for (Map<String, Integer> map : List.of(counts, times, statuses, requests)) {
      map.values().removeIf(count -> count < needed);
    }
    codes.values().removeIf(all -> all.contains("") || all.size() > MOST_STATUSES);
    String start = first("start", times);
    String path = first("path", counts);
    String request = first("request", counts);
    return new Names(
        start.isEmpty() ? orAny(first("time", times), times.keySet()) : start,
        !start.isEmpty(),
        path.isEmpty() ? orAny(request, requests.keySet()) : request,
        first("method", counts),
        path,
        orAny(first("status", statuses), codes.keySet()));
  }

  /** A field with a name of the service's own is known by its values, if it alone has such. */
  private static String orAny(String known, Set<String> others) {
    return known.isEmpty() && others.size() == 1 ? others.iterator().next() : known;
  }

  /** The first of the names, whole or as the last part. */
  private static String first(String wanted, Map<String, Integer> known) {
    for (String one : NAMES.get(wanted)) {
      for (String name : known.keySet().stream().sorted().toList()) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.equals(one) || lower.endsWith("." + one)) {
          return name;
        }
      }
    }
    return "";
  }

  static AccessKeys of(List<Line> lines, Hints hints) throws IOException {
    boolean json = areJson(lines);
    Names names = names(lines);
    Map<String, List<String>> texts = new LinkedHashMap<>();
    Values values = new Values();
    AccessTime time = new AccessTime();
    double[] written = new double[lines.size()];
    int read = 0;
    for (Line line : lines) {
      String at = values.read(line, json) ? values.get(names.time()) : "";
      if (!time.read(Line.of(at), 0, at.length())) {
        continue;
      }
      written[read] = time.second();
      for (Map.Entry<String, String> value : values.all.entrySet()) {
        if (!names.has(value.getKey())) {
          List<String> of = texts.computeIfAbsent(value.getKey(), any -> new ArrayList<>());
          while (of.size() < read) {
            of.add("");
          }
          of.add(value.getValue());
        }
      }
      read++;
    }
    List<Candidate> candidates = new ArrayList<>();
    // Envoy counts in milliseconds.
    Optional<Unit> known = texts.containsKey(ENVOY_FLAGS) ? Optional.of(Unit.MS) : Optional.empty();
    for (Map.Entry<String, List<String>> one : texts.entrySet()) {
      candidate(one.getKey(), one.getValue(), read, known).ifPresent(candidates::add);
    }
    Choice choice =
        AccessDuration.choose(candidates, new Written(Arrays.copyOf(written, read)), hints);
    return new AccessKeys(
        json,
        names,
        candidates.get(choice.field()).name(),
        choice,
        AccessDuration.served(candidates, choice.field()));
  }

  private static Optional<Candidate> candidate(
      String name, List<String> texts, int lines, Optional<Unit> known) {
    AccessNumber number = new AccessNumber();
    Column column = new Column("", lines);
    for (int i = 0; i < texts.size(); i++) {
      String text = texts.get(i);
      if (number.read(Line.of(text), 0, text.length())) {
        column.add(i, number);
      }
    }
    return 2 * column.count() < lines
        ? Optional.empty()
        : Optional.of(column.candidate(name, known));
  }

  @Override
  public Outcome outcome() {
    return choice.outcome();
  }

  @Override
  public Optional<Boolean> isStart() {
    return names.start() ? Optional.of(true) : Optional.empty();
  }

  @Override
  public AccessGrammar another() {
    return new AccessKeys(json, names, duration, choice, served);
  }

  @Override
  public Kind read(Line line, AccessEntry entry) {
    entry.clear();
    if (!values.read(line, json)) {
      return Kind.DAMAGED;
    }
    String at = values.get(names.time());
    if (!entry.time.read(Line.of(at), 0, at.length())) {
      return Kind.DAMAGED;
    }
    String status = values.get(names.status());
    if (status.length() == 3 && entry.number.read(Line.of(status), 0, status.length())) {
      entry.status = (int) entry.number.value();
    }
    String request = values.get(names.request());
    if (!request.contains(" ")) {
      request = values.get(names.method()) + " " + values.get(names.path());
    }
    int method = request.indexOf(' ');
    entry.request(Line.of(request), 0, method < 0 ? request.length() : method, request.length());
    entry.latency = nanos(values.get(duration), choice.unit(), entry.number);
    if (entry.latency < 0) {
      return entry.hasFailed() ? Kind.NONE : Kind.DAMAGED;
    }
    served.ifPresent(
        part ->
            entry.served =
                nanos(values.get(part.name()), part.stated().orElse(choice.unit()), entry.number));
    return Kind.REQUEST;
  }

  /** Below 0 if it is no number. */
  private static long nanos(String text, Unit unit, AccessNumber number) {
    return number.read(Line.of(text), 0, text.length())
        ? Math.round(number.value() * number.unit().orElse(unit).nanos)
        : -1;
  }
}
