package io.gcdiag.ingest.jfr.group;

import io.gcdiag.evidence.profile.CodePlace;
import io.gcdiag.evidence.profile.OwnCode;
import io.gcdiag.evidence.profile.OwnCode.Activity;
import io.gcdiag.evidence.profile.OwnCode.Spot;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.PlaceCounts;
import io.gcdiag.ingest.format.IngestContext;
import io.gcdiag.ingest.frames.FrameBook;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.EventThread;
import io.gcdiag.ingest.jfr.event.Note;
import io.gcdiag.ingest.jfr.event.Trace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Where in the service's own code threads do what events tell of: amounts by place and time. One
 * lane's events have one book; it is not safe for use by several threads.
 */
public final class CodeBook {

  /** Services have some hundred such places; beyond that the large ones are known already. */
  private static final int MOST_SPOTS = 10_000;

  private static final int NOT_KEPT = -1;

  /** Ways to one place that are kept to find its line; more seldom say another. */
  private static final int MOST_WAYS = 64;

  /** Threads whose latest place is kept. */
  private static final int MOST_THREADS = 10_000;

  private static final String RUNNABLE = "RUNNABLE";
  private static final String THROWABLE = "java.lang.Throwable.";

  /** The JVM calls it for each class that a loader makes from bytes. */
  private static final String DEFINE_CLASS = "java.lang.ClassLoader.defineClass";

  private final Stacks stacks;
  private final FrameBook book;
  private final Map<Activity, Spots> found = new EnumMap<>(Activity.class);
  private final Set<String> frameworks = new TreeSet<>();
  private final Note<Ends> ends = new Note<>(Ends::new);
  private final Note<Ends> monitors = new Note<>(this::inMonitor);
  private final Ends noStack;

  /** By the number of the thread. */
  private final Map<Long, Seen> latest = new HashMap<>();

  /** A thread writes its events down in blocks. */
  private long latestThread;

  private Seen latestSeen;

  /** Nothing is in it yet. */
  public CodeBook(Stacks stacks, FrameBook book) {
    this.stacks = stacks;
    this.book = book;
    this.noStack = new Ends(new NoStack());
    this.latestSeen = new Seen(noStack);
  }

  /** The ends of the stack of an event, or of one without frames if it has none. */
  public Ends ends(Event event) {
    return event.hasStack() ? event.stackNote(ends, noStack.trace) : noStack;
  }

  /** The ends of a stack. */
  public Ends ends(Trace trace) {
    return trace.note(ends);
  }

  /**
   * The same of the service's innermost synchronized method; of its innermost frame without one.
   */
  public Ends synchronizedEnds(Event event) {
    return event.hasStack() ? event.stackNote(monitors, noStack.trace) : noStack;
  }

  /** Adds what an event tells of the place of its stack; nothing if it has none. */
  public void add(Event event, Activity activity, String subject, long amount) {
    if (event.hasStack()) {
      add(event, ends(event), activity, subject, amount);
    }
  }

  /** Adds what an event tells of a place of its stack; nothing if it has no stack. */
  public void add(Event event, Ends at, Activity activity, String subject, long amount) {
    if (!event.hasStack() || amount <= 0 || at.isNowhere()) {
      return;
    }
    Optional<EventThread> own = event.thread();
    boolean serving =
        serves(at, own.isPresent() ? own : event.thread("sampledThread"), event.startNanos());
    Way way = at.latest;
    if (way == null || !way.is(activity, subject, serving)) {
      way = way(at, activity, event.type(), subject, serving);
      at.latest = way;
    }
    way.add(event.startNanos(), amount);
  }

  /**
   * What a stack tells of one thing.
   *
   * @param event the name of the type of events that tell of it
   */
  public Way way(Ends at, Activity activity, String event, String subject, boolean serving) {
    Spots spots = found.get(activity);
    if (spots == null) {
      spots = new Spots(event);
      found.put(activity, spots);
    }
    return spots.way(activity, at, subject, serving);
  }

  /**
   * Whether a request is served there, by the stack or the name of the thread. Where a thread that
   * serves none was seen is remembered: it may ask for stops.
   *
   * @param nanos when, since 1970
   */
  public boolean serves(Ends at, Optional<EventThread> thread, long nanos) {
    if (at.serving || thread.isEmpty()) {
      return at.serving;
    }
    boolean serving = stacks.isRequestThread(thread.get().name());
    if (at.own && !serving) {
      remember(thread.get().id(), at, nanos);
    }
    return serving;
  }

  private void remember(long thread, Ends at, long nanos) {
    if (thread != latestThread || latestSeen.at == noStack) {
      Seen seen = latest.get(thread);
      if (seen == null) {
        seen = new Seen(at);
        if (latest.size() < MOST_THREADS) {
          latest.put(thread, seen);
        }
      }
      latestThread = thread;
      latestSeen = seen;
    }
    latestSeen.at = at;
    latestSeen.nanos = nanos;
  }

  /** Where a thread that serves no request was seen last. */
  public Optional<Seen> lastSeen(long thread) {
    return Optional.ofNullable(latest.get(thread));
  }

  /** Frameworks on the stacks. */
  public Set<String> frameworks() {
    return Collections.unmodifiableSet(frameworks);
  }

  /** When the first of all began. */
  public Optional<Instant> first() {
    return found.values().stream()
        .map(spots -> Instant.ofEpochSecond(0, spots.first))
        .min(Instant::compareTo);
  }

  /** Hands on what was found. */
  public void finish(String file, IngestContext intake) {
    found.forEach((activity, spots) -> intake.timeline().sample(spots.build(file, activity)));
  }

  /** Where a thread was seen last. */
  public static final class Seen {
    private Ends at;
    private long nanos;

    private Seen(Ends at) {
      this.at = at;
    }

    /** The stack. */
    public Ends at() {
      return at;
    }

    /** When, in nanoseconds since 1970. */
    public long nanos() {
      return nanos;
    }
  }

  /** The innermost and the outermost frame of the service's own code on a stack. */
  public final class Ends {
    private final Trace trace;
    private final int place;
    private final int caller;
    private final int user;
    private final String userMethod;
    private final boolean own;
    private final boolean serving;
    private final boolean definesClass;
    private final boolean throwing;
    private final String callee;
    private final String method;
    private final String callerMethod;

    /** Events with one stack mostly tell of one thing. */
    private Way latest;

    private Ends(Trace trace) {
      this(trace, book.innermostOfApplication(trace.frames()));
    }

    private Ends(Trace trace, int innermost) {
      this.trace = trace;
      List<String> frames = trace.frames();
      own = innermost >= 0;
      place = own ? innermost : frames.indexOf(stacks.kind(trace, RUNNABLE).top());
      caller = own ? book.outermostOfApplication(frames) : place;
      serving = stacks.kind(trace, RUNNABLE).requestThread();
      definesClass = frames.stream().anyMatch(frame -> frame.startsWith(DEFINE_CLASS));
      callee = place > 0 ? frames.get(place - 1) : "";
      throwing = frames.stream().limit(Math.max(0, place + 1)).anyMatch(CodeBook::createsException);
      method = place < 0 ? "" : frames.get(place);
      callerMethod = caller < 0 ? "" : frames.get(caller);
      user = own ? user(frames) : place;
      userMethod = user < 0 ? "" : frames.get(user);
      frameworks.addAll(book.frameworks(frames));
    }

    /** What uses the class of the place; the place itself without one. */
    private int user(List<String> frames) {
      String used = outerClass(frames.get(place));
      for (int frame = place + 1; frame <= caller; frame++) {
        if (isOwn(frames.get(frame)) && !outerClass(frames.get(frame)).equals(used)) {
          return frame;
        }
      }
      return place;
    }

    /** Whether the stack shows that a request is served. */
    public boolean isServing() {
      return serving;
    }

    /** Whether no frame of it says where it is. */
    public boolean isNowhere() {
      return place < 0;
    }

    /** Whether a class is being made from bytes. */
    public boolean definesClass() {
      return definesClass;
    }

    /** Whether an exception is being created. */
    public boolean isThrowing() {
      return throwing;
    }

    /** The method of the place; empty if it is nowhere. */
    public String method() {
      return method;
    }

    /** Whether both are about one frame. */
    public boolean isAt(Ends other) {
      return place == other.place;
    }

    /** What the place calls; empty if it is the innermost frame. */
    public String callee() {
      return callee;
    }
  }

  private boolean isOwn(String frame) {
    return book.innermostOfApplication(List.of(frame)) == 0;
  }

  private Ends inMonitor(Trace trace) {
    List<String> frames = trace.frames();
    for (int frame = 0; frame < frames.size(); frame++) {
      if (trace.inMonitor(frame) && isOwn(frames.get(frame))) {
        return new Ends(trace, frame);
      }
    }
    return new Ends(trace);
  }

  /** The class of a frame, without those in it. */
  private static String outerClass(String frame) {
    String name = frame.substring(0, Math.max(0, frame.lastIndexOf('.')));
    int inner = name.indexOf('$');
    return inner < 0 ? name : name.substring(0, inner);
  }

  /** Creating one walks over the stack, in the constructor or in what that calls. */
  private static boolean createsException(String frame) {
    return frame.startsWith(THROWABLE)
        || frame.endsWith("Exception.<init>")
        || frame.endsWith("Error.<init>")
        || frame.endsWith("Throwable.<init>");
  }

  /** Looked up with many events, for which what a record is given takes too long. */
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

  /** What one stack tells of one thing. */
  public static final class Way {
    private final Spots spots;
    private final Activity activity;
    private final Key key;
    private final int number;
    private long amount;

    private Way(Spots spots, Activity activity, Key key, int number) {
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
    public void add(long at, long more) {
      amount += more;
      spots.add(number, at, more);
    }
  }

  /** The places of one activity. */
  private static final class Spots {
    private final String event;
    private final Map<Key, Row> rows = new HashMap<>();
    private final List<Row> inOrder = new ArrayList<>();
    private final PlaceCounts amounts = new PlaceCounts();
    private long first = Long.MAX_VALUE;

    Spots(String event) {
      this.event = event;
    }

    /** Beyond some thousand places none is kept. */
    Way way(Activity activity, Ends ends, String subject, boolean serving) {
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
  }

  /** One place, and the ways on which threads came to it. */
  private static final class Row {
    private final Key key;
    private final int number;
    private final Map<Ends, Way> ways = new IdentityHashMap<>();

    Row(Key key, int number) {
      this.key = key;
      this.number = number;
    }

    /** The way that a stack is, or the new one. */
    Way way(Ends ends, Way made) {
      if (ways.size() >= MOST_WAYS && !ways.containsKey(ends)) {
        return made;
      }
      return ways.computeIfAbsent(ends, any -> made);
    }

    Spot spot() {
      Ends most =
          Collections.max(
                  ways.entrySet(),
                  Comparator.comparingLong((Map.Entry<Ends, Way> way) -> way.getValue().amount)
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

    /** The line at which most was seen; of two with as much the one that comes first. */
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
