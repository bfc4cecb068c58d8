package io.gcdiag.measures.threads;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Named;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One place where requests spend time, in the baseline and in the incident: how many arrive, how
 * long each stays, how many are in it and how many it can serve at a time.
 *
 * <p>By Little's law the number in it is the rate times the time, so that its growth is exactly the
 * growth of the rate times the mean time, plus the mean rate times the growth of the time (J. D. C.
 * Little, "A proof for the queuing formula L = lambda W", 1961).
 *
 * @param kind what is done or waited for there
 * @param name which one: a pool, a lock's class, a remote host, a group of threads
 * @param effect the state of a request that is there; empty for what serves requests, and for
 *     threads that no request waits for
 * @param before in the baseline; absent without one, or where nothing shows it
 * @param servers how many can be served at a time; empty where that is not known or has no limit
 * @param cover what of it the figures show, such as the recording's {@code threshold 20 ms}; may be
 *     empty
 * @param sources where the figures were read
 */
public record Station(
    Kind kind,
    String name,
    Optional<Effect> effect,
    Optional<Row> before,
    Row during,
    OptionalDouble servers,
    String cover,
    List<Source> sources) {

  public Station {
    sources = List.copyOf(sources);
  }

  /** What is done or waited for. */
  public enum Kind implements Named {
    /** Requests in the service, by what its users or its server measured. */
    REQUESTS("requests"),
    /** Requests on the way to the server, by what their users and the server measured. */
    BEFORE_SERVER("before the server takes them up"),
    /** Requests or tasks that wait for a thread of a group. */
    WORKER_QUEUE("waiting for a thread"),
    WORKERS("workers"),
    /** Parts of requests that spans show, without their own parts and calls. */
    STEPS("inside requests"),
    POOL_QUEUE("waiting for a connection"),
    CONNECTIONS("connections"),
    /** Calls to another host or a database. */
    CALLS("calls"),
    LOCK_QUEUE("waiting for a lock"),
    /** Locks that are held while others wait. */
    LOCKS("lock held"),
    /** Threads that wait for room in the queue of a logger. */
    LOG_QUEUE("waiting for a log queue"),
    /** Responses that a client does not read, and requests that it does not send. */
    CLIENTS("waiting for a client"),
    /** File reads, writes and forces. */
    FILES("file I/O"),
    SLEEPS("sleeping"),
    /** Waits until a collector or other threads free memory. */
    MEMORY("waiting for memory"),
    /** Virtual threads that block while pinned to their carrier. */
    CARRIERS("pinned to a carrier"),
    /** Waits for what no other kind covers. */
    OTHER("waiting"),
    /** Platform threads alive, whatever they do. */
    THREADS("threads alive"),
    /** Stops of the whole JVM. */
    STOPS("stopped"),
    CPU_QUEUE("waiting for CPU"),
    /** Threads that a container's CPU quota stops. */
    THROTTLED("stopped by a CPU quota"),
    CORES("cores");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    /** What one calls it in a table. */
    public String title() {
      return title;
    }
  }

  /**
   * A station in one window.
   *
   * @param arrivals how many arrived in the window; empty where that is not counted
   * @param inIt how many are in it on average
   * @param longest the longest that one stayed; absent where that is not known
   * @param windowSeconds the window's length
   */
  public record Row(
      OptionalDouble arrivals, double inIt, Optional<Duration> longest, double windowSeconds) {

    /** So many arrive, and so many are in it at a time. */
    public static Row counted(double arrivals, double inIt, Window window) {
      return new Row(OptionalDouble.of(arrivals), inIt, Optional.empty(), window.seconds());
    }

    /** So many arrive a second, each for so long. */
    public static Row timed(double perSecond, double seconds, Window window) {
      return counted(perSecond * window.seconds(), perSecond * seconds, window);
    }

    /** So many are in it, whatever comes and goes. */
    public static Row present(double inIt, Window window) {
      return new Row(OptionalDouble.empty(), inIt, Optional.empty(), window.seconds());
    }

    /** The same, with how long the longest stayed. */
    public Row longest(Duration one) {
      return new Row(arrivals, inIt, Optional.of(one), windowSeconds);
    }

    private Row scaled(double part) {
      return new Row(arrivals, part * inIt, longest, windowSeconds);
    }

    /** How many arrive a second; empty where that is not counted. */
    public OptionalDouble perSecond() {
      return arrivals.isEmpty()
          ? arrivals
          : OptionalDouble.of(arrivals.getAsDouble() / windowSeconds);
    }

    /** How long each stays, in seconds (Little's law); empty where none is known to arrive. */
    public OptionalDouble seconds() {
      return arrivals.orElse(0) > 0
          ? OptionalDouble.of(inIt * windowSeconds / arrivals.getAsDouble())
          : OptionalDouble.empty();
    }

    private boolean isEmpty() {
      return inIt == 0 && arrivals.orElse(0) == 0;
    }

    private boolean isCounted() {
      return arrivals.isEmpty() || arrivals.getAsDouble() >= Policy.FEWEST_COUNTED;
    }
  }

  /** What became of a figure. */
  public enum Moved implements Named {
    /** It is there in the incident alone. */
    NEW,
    /** It is there in the baseline alone. */
    GONE,
    MORE,
    LESS,
    /** Neither: the two differ by less than chance and another mix of requests can make. */
    SAME,
    /** One of them is not known. */
    UNKNOWN
  }

  /** The same with a part of those in it, and of the time each, in both windows. */
  public Station scaled(double partBefore, double part) {
    return new Station(
        kind,
        name,
        effect,
        before.map(row -> row.scaled(partBefore)),
        during.scaled(part),
        servers,
        cover,
        sources);
  }

  /** The same, and no state of a request. */
  public Station unbooked() {
    return new Station(kind, name, Optional.empty(), before, during, servers, cover, sources);
  }

  /** What became of the number of arrivals; a few events in both windows do not tell. */
  public Moved rate() {
    boolean counted = during.isCounted() || before.filter(Row::isCounted).isPresent();
    return counted ? moved(Row::perSecond) : Moved.UNKNOWN;
  }

  /** What became of the time that each takes; a few events in one of the windows do not tell. */
  public Moved time() {
    boolean counted = during.isCounted() && before.filter(Row::isCounted).isPresent();
    return counted ? moved(Row::seconds) : number() == Moved.NEW ? Moved.NEW : Moved.UNKNOWN;
  }

  /** What became of the number in it. */
  public Moved number() {
    return moved(row -> OptionalDouble.of(row.inIt()));
  }

  private Moved moved(Function<Row, OptionalDouble> figure) {
    if (before.isEmpty()) {
      return Moved.UNKNOWN;
    }
    boolean was = !before.get().isEmpty();
    boolean is = !during.isEmpty();
    if (!was || !is) {
      return is ? Moved.NEW : was ? Moved.GONE : Moved.SAME;
    }
    OptionalDouble usual = figure.apply(before.get());
    OptionalDouble now = figure.apply(during);
    if (usual.isEmpty() || now.isEmpty()) {
      return Moved.UNKNOWN;
    }
    if (now.getAsDouble() >= Policy.CLEARLY_MORE * usual.getAsDouble()) {
      return Moved.MORE;
    }
    return usual.getAsDouble() >= Policy.CLEARLY_MORE * now.getAsDouble() ? Moved.LESS : Moved.SAME;
  }

  /** Whether all of its servers are taken, and were not before. */
  public boolean isNewlyFull() {
    return servers.isPresent() && before.filter(row -> !isFull(row)).isPresent() && isFull(during);
  }

  private boolean isFull(Row row) {
    return row.inIt >= Policy.FULL * servers.orElseThrow();
  }

  /** How many more are in it than before; empty without a baseline. */
  public OptionalDouble growth() {
    return before.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(more());
  }

  /** The same; without a baseline all that are in it. */
  public double more() {
    return during.inIt() - before.map(Row::inIt).orElse(0.0);
  }

  /**
   * How many more are in it because more arrive, each as long as on average of both windows; empty
   * where a rate or a time is not known. What is new altogether came by its rate.
   */
  public OptionalDouble growthByRate() {
    if (before.isEmpty()
        || during.perSecond().isEmpty()
        || before.get().perSecond().isEmpty()
        || during.seconds().isEmpty() && before.get().seconds().isEmpty()) {
      return OptionalDouble.empty();
    }
    double now = during.seconds().orElseGet(() -> before.get().seconds().getAsDouble());
    double usual = before.get().seconds().orElse(now);
    double more = during.perSecond().getAsDouble() - before.get().perSecond().getAsDouble();
    return OptionalDouble.of(more * (now + usual) / 2);
  }

  /** The rest of the growth: each stays longer. */
  public OptionalDouble growthByTime() {
    OptionalDouble byRate = growthByRate();
    return byRate.isEmpty()
        ? byRate
        : OptionalDouble.of(growth().getAsDouble() - byRate.getAsDouble());
  }

  /** Kind and name. */
  public String title() {
    return name.isEmpty() ? kind.title : kind.title + ": " + name;
  }

  /** A figure of both windows, such as {@code 60 -> 165}; empty where neither has it. */
  public Optional<String> course(
      Function<Row, OptionalDouble> figure, DoubleFunction<String> unit) {
    OptionalDouble now = figure.apply(during);
    // What is new has no figure of before.
    Optional<OptionalDouble> usual = before.map(figure).filter(OptionalDouble::isPresent);
    if (now.isEmpty() && usual.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(usual.map(one -> text(one, unit) + " -> ").orElse("") + text(now, unit));
  }

  private static String text(OptionalDouble value, DoubleFunction<String> unit) {
    return value.isPresent() ? unit.apply(value.getAsDouble()) : "-";
  }

  /**
   * How many are in it, of how many it can serve. The JVM is in one stop or in none: the number is
   * the share of time, and requests that wait meanwhile are in the lost time.
   */
  public Optional<String> inIt() {
    boolean stops = kind == Kind.STOPS;
    String of = servers.isPresent() ? " of " + Numbers.threeDigits(servers.getAsDouble()) : "";
    return course(
            row -> OptionalDouble.of(row.inIt),
            stops ? share -> new Ratio(share).share() : Numbers::threeDigits)
        .map(number -> number + (stops ? " of time" : of));
  }

  /** The row in one line, with what of it is known. */
  public String inWords() {
    return Stream.of(
            course(Row::perSecond, Numbers::threeDigits).map(rate -> rate + "/s"),
            course(Row::seconds, Durations::format).map(time -> time + " each"),
            inIt().map(number -> number + (kind == Kind.STOPS ? "" : " in it")))
        .flatMap(Optional::stream)
        .collect(Collectors.joining(", ", title() + ": ", ""));
  }
}
