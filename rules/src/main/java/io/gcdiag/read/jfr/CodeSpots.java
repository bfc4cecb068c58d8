package io.gcdiag.read.jfr;

import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.jvm.OwnCode;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.time.PlaceCounts;
import io.gcdiag.evidence.time.Source;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The service's code locations for one activity, with amounts over time. */
final class CodeSpots {

  /** Services have some hundred locations; when this limit is reached, the large ones are known. */
  private static final int MOST_SPOTS = 10_000;

  private static final int NOT_KEPT = -1;

  /** Number of stacks per location that are kept to find its line. */
  private static final int MOST_WAYS = 64;

  private final String event;
  private final Map<Key, Row> rows = new HashMap<>();
  private final List<Row> inOrder = new ArrayList<>();
  private final PlaceCounts amounts = new PlaceCounts();
  private long first = Long.MAX_VALUE;

  CodeSpots(String event) {
    this.event = event;
  }

  /** Above the limit of locations, new ones are not kept. */
  Way way(Activity activity, CodeEnds ends, String subject, boolean serving) {
    Key key = new Key(subject, ends.method, ends.callerMethod, ends.own, serving);
    Row row = rows.get(key);
    if (row == null && rows.size() >= MOST_SPOTS) {
      return new Way(this, activity, key, NOT_KEPT);
    }
    if (row == null) {
      row = new Row(key, rows.size());
      rows.put(key, row);
      inOrder.add(row);
    }
    return row.way(ends, new Way(this, activity, key, row.number));
  }

  void add(int number, long at, long amount) {
    if (number == NOT_KEPT) {
      return;
    }
    first = Math.min(first, at);
    amounts.add(number, at, amount);
  }

  OwnCode build(String file, Activity activity) {
    amounts.close();
    return new OwnCode(
        Instant.ofEpochSecond(0, first),
        activity,
        inOrder.stream().map(Row::spot).toList(),
        amounts,
        new Source(file, event));
  }

  /** When the first event began. */
  Instant first() {
    return Instant.ofEpochSecond(0, first);
  }

  /** One stack with one subject. */
  static final class Way {
    private final CodeSpots spots;
    private final Activity activity;
    private final Key key;
    private final int number;
    private long amount;

    private Way(CodeSpots spots, Activity activity, Key key, int number) {
      this.spots = spots;
      this.activity = activity;
      this.key = key;
      this.number = number;
    }

    boolean is(Activity other, String subject, boolean serving) {
      return activity == other && key.serving() == serving && key.subject().equals(subject);
    }

    /**
     * Adds an amount.
     *
     * @param at nanoseconds since 1970
     */
    void add(long at, long more) {
      amount += more;
      spots.add(number, at, more);
    }
  }

  /** equals is written by hand, because it is called for many events and a record's is too slow. */
  private record Key(
      String subject, String method, String callerMethod, boolean own, boolean serving) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key that
          && own == that.own
          && serving == that.serving
          && subject.equals(that.subject)
          && method.equals(that.method)
          && callerMethod.equals(that.callerMethod);
    }

    @Override
    public int hashCode() {
      int hash = (subject.hashCode() * 31 + method.hashCode()) * 31 + callerMethod.hashCode();
      return hash * 31 + (own ? 2 : 0) + (serving ? 1 : 0);
    }
  }

  /** One location, and the stacks that lead to it. */
  private static final class Row {
    private final Key key;
    private final int number;
    private final Map<CodeEnds, Way> ways = new IdentityHashMap<>();

    Row(Key key, int number) {
      this.key = key;
      this.number = number;
    }

    /** The known counter of that stack, or the new one. */
    Way way(CodeEnds ends, Way made) {
      if (ways.size() >= MOST_WAYS && !ways.containsKey(ends)) {
        return made;
      }
      return ways.computeIfAbsent(ends, any -> made);
    }

    Spot spot() {
      CodeEnds most =
          Collections.max(
                  ways.entrySet(),
                  Comparator.comparingLong((Map.Entry<CodeEnds, Way> way) -> way.getValue().amount)
                      .thenComparing(way -> way.getKey().userMethod))
              .getKey();
      return new Spot(
          key.subject(),
          new CodePlace(key.method(), line(true)),
          new CodePlace(most.userMethod, most.trace.line(most.user)),
          new CodePlace(key.callerMethod(), line(false)),
          key.own(),
          key.serving());
    }

    /** The line with the largest amount; of equal ones the first. */
    private int line(boolean innermost) {
      Map<Integer, Long> byLine = new TreeMap<>();
      ways.forEach(
          (ends, way) ->
              byLine.merge(
                  ends.trace.line(innermost ? ends.place : ends.caller), way.amount, Long::sum));
      int most = CodePlace.NO_LINE;
      long largest = 0;
      for (Map.Entry<Integer, Long> one : byLine.entrySet()) {
        if (one.getValue() > largest) {
          most = one.getKey();
          largest = one.getValue();
        }
      }
      return most;
    }
  }
}
