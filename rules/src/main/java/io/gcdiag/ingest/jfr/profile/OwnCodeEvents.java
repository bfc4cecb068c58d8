package io.gcdiag.ingest.jfr.profile;

import io.gcdiag.evidence.profile.CodePlace;
import io.gcdiag.evidence.profile.OwnCode;
import io.gcdiag.evidence.profile.OwnCode.Activity;
import io.gcdiag.evidence.profile.OwnCode.Spot;
import io.gcdiag.evidence.profile.RequestFramework;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.PlaceCounts;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.ingest.format.IngestContext;
import io.gcdiag.ingest.frames.FrameBook;
import io.gcdiag.ingest.frames.StackKind;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.EventThread;
import io.gcdiag.ingest.jfr.event.Note;
import io.gcdiag.ingest.jfr.event.Trace;
import io.gcdiag.ingest.jfr.group.EventGroup;
import io.gcdiag.ingest.jfr.group.NoStack;
import io.gcdiag.ingest.jfr.group.RecordedSettings;
import io.gcdiag.ingest.jfr.group.Stacks;
import io.gcdiag.ingest.jfr.waits.WallSamples;
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
import java.util.function.Consumer;

/**
 * Where in the service's own code threads wait, run, allocate, throw: the answer to "which line".
 * Rules judge by what is waited for; this says where it is asked for.
 */
public final class OwnCodeEvents implements EventGroup {

  /** Services have some hundred such places; beyond that the large ones are known already. */
  private static final int MOST_SPOTS = 10_000;

  private static final int NOT_KEPT = -1;

  /** Ways to one place that are kept to find its line; more seldom say another. */
  private static final int MOST_WAYS = 64;

  /** Threads whose latest place is kept. */
  private static final int MOST_THREADS = 10_000;

  /** Who asks for stops more often than this in a recording is known by then. */
  private static final int MOST_STOPS = 10_000;

  /** A wait this long is no request's, or its length is damaged. */
  private static final long LONGEST_NANOS = 86_400_000_000_000L;

  private static final String RUNNABLE = "RUNNABLE";
  private static final String WAITING = "WAITING";

  private static final String THROWABLE = "java.lang.Throwable.";

  /** The JVM calls it for each class that a loader makes from bytes. */
  private static final String DEFINE_CLASS = "java.lang.ClassLoader.defineClass";

  private final String file;
  private final Stacks stacks;
  private final FrameBook book;
  private final Map<Activity, Spots> found = new EnumMap<>(Activity.class);
  private final Set<String> frameworks = new TreeSet<>();
  private final Note<Ends> ends = new Note<>(note -> (Ends) note, Ends::new);
  private final Note<Ends> monitors = new Note<>(note -> (Ends) note, this::inMonitor);
  private final Ends noStack;

  /** By the number of the thread. */
  private final Map<Long, Ends> latest = new HashMap<>();

  /** A thread writes its events down in blocks. */
  private long latestThread;

  private Ends latestEnds;

  private final List<Stop> stops = new ArrayList<>();
  private final StopDelays delays = new StopDelays();

  public OwnCodeEvents(String file, Stacks stacks, FrameBook book) {
    this.file = file;
    this.stacks = stacks;
    this.book = book;
    this.noStack = new Ends(new NoStack());
  }

  @Override
  public Map<String, Consumer<Event>> readers() {
    return Map.ofEntries(
        Map.entry(
            "jdk.ThreadPark", event -> waited(event, WAITING, event.className("parkedClass"))),
        Map.entry(
            "jdk.JavaMonitorEnter",
            event -> waited(event, "BLOCKED", event.className("monitorClass"))),
        Map.entry(
            "jdk.JavaMonitorWait",
            event -> waited(event, WAITING, event.className("monitorClass"))),
        Map.entry("jdk.ThreadSleep", event -> waited(event, "TIMED_WAITING", Optional.empty())),
        Map.entry("jdk.SocketRead", event -> waited(event, RUNNABLE, Optional.empty())),
        Map.entry("jdk.SocketWrite", event -> waited(event, RUNNABLE, Optional.empty())),
        Map.entry(
            "jdk.SafepointLatency",
            event -> add(event, Activity.DELAYING_STOPS, "", delays.more(event, length(event)))),
        Map.entry("jdk.FileRead", this::fileAccess),
        Map.entry("jdk.FileWrite", this::fileAccess),
        Map.entry("jdk.FileForce", this::fileAccess),
        Map.entry("jdk.VirtualThreadPinned", this::pinned),
        Map.entry("jdk.ExecutionSample", this::executed),
        Map.entry("jdk.NativeMethodSample", this::inNative),
        Map.entry(
            "jdk.ObjectAllocationSample",
            event -> allocated(event, Activity.ALLOCATING, event.numberOr("weight", 0))),
        Map.entry(
            "jdk.ObjectAllocationOutsideTLAB",
            event ->
                allocated(event, Activity.ALLOCATING_LARGE, event.numberOr("allocationSize", 0))),
        Map.entry(
            "jdk.JavaExceptionThrow",
            event -> add(event, Activity.THROWING, event.className("thrownClass").orElse(""), 1)),
        Map.entry("jdk.SystemGC", event -> add(event, Activity.COLLECTING, "", 1)),
        Map.entry("jdk.ExecuteVMOperation", this::stopRequested),
        Map.entry("jdk.ThreadStart", event -> add(event, Activity.STARTING_THREADS, "", 1)));
  }

  private void waited(Event event, String state, Optional<String> lock) {
    if (event.hasStack()) {
      StackKind kind = stacks.kind(stacks.trace(event), state, lock);
      activity(kind.waitsFor()).ifPresent(at -> add(event, at, kind.name(), length(event)));
    }
  }

  private static Optional<Activity> activity(WaitKind wait) {
    return switch (wait) {
      case POOL -> Optional.of(Activity.BORROWING);
      case DOWNSTREAM -> Optional.of(Activity.CALLING);
      case LOCK -> Optional.of(Activity.LOCKING);
      case FILE -> Optional.of(Activity.FILE_IO);
      case SLEEP -> Optional.of(Activity.SLEEPING);
      case OTHER, LOG_QUEUE -> Optional.of(Activity.WAITING);
      case IDLE, PINNED, ALLOCATION_STALL -> Optional.empty();
    };
  }

  private static long length(Event event) {
    long nanos = event.lengthNanos();
    return nanos > LONGEST_NANOS ? 0 : Math.max(0, nanos);
  }

  private void fileAccess(Event event) {
    add(event, Activity.FILE_IO, "", length(event));
  }

  private void pinned(Event event) {
    Ends blocked = event.stackNote(ends, noStack.trace);
    // Since JDK 24 no monitor pins, and the event says what does.
    boolean byMonitor = event.text("pinnedReason").filter(text -> !text.isBlank()).isEmpty();
    Ends holding = byMonitor ? event.stackNote(monitors, noStack.trace) : blocked;
    String subject = holding.place == blocked.place ? "" : blocked.method;
    add(event, holding, Activity.PINNED, subject, length(event));
  }

  private void executed(Event event) {
    if (!WallSamples.isWaiting(event)) {
      Ends at = event.hasStack() ? event.stackNote(ends, stacks.trace(event)) : noStack;
      add(event, Activity.RUNNING, at.callee, 1);
      if (at.definesClass) {
        add(event, Activity.DEFINING_CLASSES, at.callee, 1);
      }
      if (at.throwing) {
        add(event, Activity.SAMPLED_THROWING, at.callee, 1);
      }
    }
  }

  private void inNative(Event event) {
    if (!event.hasStack()) {
      return;
    }
    StackKind kind = stacks.kind(event, RUNNABLE);
    Ends at = event.stackNote(ends, stacks.trace(event));
    if (at.definesClass) {
      add(event, Activity.DEFINING_CLASSES, at.callee, 1);
    }
    switch (kind.waitsFor()) {
      case DOWNSTREAM -> add(event, Activity.SAMPLED_CALLING, kind.name(), 1);
      case OTHER -> add(event, Activity.NATIVE, at.callee, 1);
      default -> {}
    }
  }

  private void allocated(Event event, Activity activity, long bytes) {
    add(event, activity, event.className("objectClass").orElse(""), bytes);
  }

  private void add(Event event, Activity activity, String subject, long amount) {
    if (event.hasStack()) {
      add(event, event.stackNote(ends, noStack.trace), activity, subject, amount);
    }
  }

  private void add(Event event, Ends at, Activity activity, String subject, long amount) {
    if (!event.hasStack() || amount <= 0 || at.place < 0) {
      return;
    }
    boolean serving = at.serving || isRequestThread(event, at);
    Way way = at.latest;
    if (way == null || !way.is(activity, subject, serving)) {
      Spots spots = found.computeIfAbsent(activity, any -> new Spots(event.type()));
      way = spots.way(activity, at, subject, serving);
      at.latest = way;
    }
    way.add(event.startNanos(), amount);
  }

  /** By its name. Where a thread that serves none was seen is remembered: it may ask for stops. */
  private boolean isRequestThread(Event event, Ends at) {
    Optional<EventThread> thread = event.thread().or(() -> event.thread("sampledThread"));
    boolean serving = thread.isPresent() && stacks.isRequestThread(thread.get().name());
    if (at.own && !serving && thread.isPresent()) {
      remember(thread.get().id(), at);
    }
    return serving;
  }

  private void remember(long thread, Ends at) {
    if (thread == latestThread && at == latestEnds) {
      return;
    }
    latestThread = thread;
    latestEnds = at;
    if (latest.size() < MOST_THREADS || latest.containsKey(thread)) {
      latest.put(thread, at);
    }
  }

  /** The event has no stack, and is of the JVM's own thread. */
  private void stopRequested(Event event) {
    Optional<EventThread> caller = event.thread("caller");
    Optional<String> operation = event.text("operation");
    if (caller.isPresent() && operation.isPresent() && stops.size() < MOST_STOPS) {
      stops.add(new Stop(caller.get().id(), operation.get(), event.startNanos(), length(event)));
    }
  }

  /** Where the threads that asked were seen: they may have been for the first time after that. */
  private void placeStops() {
    for (Stop stop : stops) {
      Ends at = latest.get(stop.thread());
      if (at != null && stop.nanos() > 0) {
        found
            .computeIfAbsent(Activity.REQUESTING_STOPS, any -> new Spots("jdk.ExecuteVMOperation"))
            .way(Activity.REQUESTING_STOPS, at, stop.operation(), at.serving)
            .add(stop.at(), stop.nanos());
      }
    }
  }

  /** A safepoint was requested. */
  private record Stop(long thread, String operation, long at, long nanos) {}

  /** The innermost and the outermost frame of the service's own code on a stack. */
  private final class Ends {
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

    Ends(Trace trace) {
      this(trace, book.innermostOfApplication(trace.frames()));
    }

    Ends(Trace trace, int innermost) {
      this.trace = trace;
      List<String> frames = trace.frames();
      own = innermost >= 0;
      place = own ? innermost : frames.indexOf(stacks.kind(trace, RUNNABLE).top());
      caller = own ? book.outermostOfApplication(frames) : place;
      serving = stacks.kind(trace, RUNNABLE).requestThread();
      definesClass = frames.stream().anyMatch(frame -> frame.startsWith(DEFINE_CLASS));
      callee = place > 0 ? frames.get(place - 1) : "";
      throwing =
          frames.stream().limit(Math.max(0, place + 1)).anyMatch(OwnCodeEvents::createsException);
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
  }

  private boolean isOwn(String frame) {
    return book.innermostOfApplication(List.of(frame)) == 0;
  }

  /**
   * The same of the service's innermost synchronized method; of its innermost frame without one.
   */
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

  private record Key(
      String subject, String method, String callerMethod, boolean own, boolean serving) {}

  /** What one stack tells of one thing. */
  private static final class Way {
    private final Spots spots;
    private final Activity activity;
    private final Key key;
    private final int number;
    private long amount;

    Way(Spots spots, Activity activity, Key key, int number) {
      this.spots = spots;
      this.activity = activity;
      this.key = key;
      this.number = number;
    }

    boolean is(Activity other, String subject, boolean serving) {
      return activity == other && key.serving() == serving && key.subject().equals(subject);
    }

    void add(long at, long more) {
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

  @Override
  public void finish(IngestContext intake, RecordedSettings settings) {
    placeStops();
    Optional<Instant> first =
        found.values().stream()
            .map(spots -> Instant.ofEpochSecond(0, spots.first))
            .min(Instant::compareTo);
    found.forEach((activity, spots) -> intake.timeline().sample(spots.build(file, activity)));
    first.ifPresent(
        at ->
            frameworks.forEach(
                name ->
                    intake
                        .timeline()
                        .sample(
                            new RequestFramework(
                                at, name, new Source(file, "stacks of its events")))));
  }
}
