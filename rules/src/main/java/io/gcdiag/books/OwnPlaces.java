package io.gcdiag.books;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.jvm.OwnCode;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Code locations of the service with most of one activity in the incident. */
public record OwnPlaces(Incident incident) {

  /**
   * A code location with an activity.
   *
   * @param place the innermost frame of the service's own code
   * @param user the innermost frame of another class of the service, which calls the place; empty
   *     if unknown
   * @param caller the outermost frame; empty if it is the same method
   * @param subject the pool, library or lock, see {@link Spot#subject()}
   * @param source where it was read
   */
  public record Seen(
      CodePlace place,
      Optional<CodePlace> user,
      Optional<CodePlace> caller,
      String subject,
      Source source) {

    /**
     * The same with its direct user as caller, instead of the outermost frame of the service's
     * code.
     */
    public Seen calledByUser() {
      return new Seen(place, user, user.or(() -> caller), subject, source);
    }

    /** Where the service calls it, if it is of a library: of another project than the caller. */
    public Seen ofService() {
      Optional<CodePlace> outer = caller.filter(outermost -> !outermost.isOfProject(place));
      Optional<CodePlace> calling = user.filter(one -> outer.filter(one::isOfProject).isPresent());
      return calling
          .or(() -> outer)
          .map(at -> new Seen(at, Optional.empty(), Optional.empty(), subject, source))
          .orElse(this);
    }
  }

  /** The location with most of the activity, on request threads if any has it. */
  public Optional<Seen> most(Activity activity) {
    return most(activity, spot -> true);
  }

  /** The same for the spots that a filter accepts. */
  public Optional<Seen> most(Activity activity, Predicate<Spot> which) {
    return most(activity, which.and(Spot::onRequestThread), true)
        .or(() -> most(activity, which, true))
        .or(() -> most(activity, which, false));
  }

  /** The same on all threads, because what stops or fills the JVM affects all of them. */
  public Optional<Seen> mostOfAll(Activity activity, Predicate<Spot> which) {
    return most(activity, which, true).or(() -> most(activity, which, false));
  }

  /** The same without a filter. */
  public Optional<Seen> mostOfAll(Activity activity) {
    return mostOfAll(activity, spot -> true);
  }

  /**
   * Share of the samples of running code whose place, and what it calls, was also seen defining
   * classes: what is compiled there becomes the class. 0 to 1.
   */
  public double shareMakingClasses() {
    Set<Spot> making = spots(Activity.DEFINING_CLASSES).keySet();
    Map<Spot, Long> running = spots(Activity.RUNNING);
    double all = running.values().stream().mapToLong(Long::longValue).sum();
    running.keySet().retainAll(making);
    return all == 0 ? 0 : running.values().stream().mapToLong(Long::longValue).sum() / all;
  }

  private Map<Spot, Long> spots(Activity activity) {
    Map<Spot, Long> spots = new HashMap<>();
    incident.timeline().samples(OwnCode.class).stream()
        .filter(code -> code.activity() == activity)
        .flatMap(code -> code.within(incident.window()).entrySet().stream())
        .filter(spot -> spot.getKey().own())
        .forEach(spot -> spots.merge(spot.getKey(), spot.getValue(), Long::sum));
    return spots;
  }

  private Optional<Seen> most(Activity activity, Predicate<Spot> which, boolean own) {
    Window window = incident.window();
    return most(activity, which, own, window)
        .or(() -> most(activity, which, own, incident.timeline().span()));
  }

  private Optional<Seen> most(
      Activity activity, Predicate<Spot> which, boolean own, Window window) {
    List<OwnCode> seen =
        incident.timeline().samples(OwnCode.class).stream()
            .filter(code -> code.activity() == activity)
            .toList();
    Map<String, Long> byMethod = new HashMap<>();
    Map<Spot, Long> spots = new HashMap<>();
    for (OwnCode code : seen) {
      code.within(window)
          .forEach(
              (spot, amount) -> {
                if (which.test(spot) && (own ? spot.own() : !spot.place().isOfJdk())) {
                  byMethod.merge(spot.place().method(), amount, Long::sum);
                  spots.merge(spot, amount, Long::sum);
                }
              });
    }
    return byMethod.entrySet().stream()
        .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .flatMap(
            method ->
                spots.entrySet().stream()
                    .filter(spot -> spot.getKey().place().method().equals(method.getKey()))
                    .max(
                        Map.Entry.<Spot, Long>comparingByValue()
                            .thenComparing(Map.Entry.comparingByKey())))
        .map(spot -> seen(spot.getKey(), seen.get(0).source()));
  }

  /**
   * The innermost frame of the service's own code that as good as all stacks of an activity share,
   * and that is above the places themselves: what does it again and again is there or below.
   */
  public Optional<CodePlace> shared(Activity activity) {
    Map<Spot, Long> spots = spots(activity);
    if (spots.keySet().stream().anyMatch(Spot::onRequestThread)) {
      spots.keySet().removeIf(spot -> !spot.onRequestThread());
    }
    return Stream.<Function<Spot, CodePlace>>of(
            spot -> spot.user().equals(spot.place()) ? spot.caller() : spot.user(), Spot::caller)
        .flatMap(frame -> most(spots, frame).stream())
        .findFirst();
  }

  private static Optional<CodePlace> most(Map<Spot, Long> spots, Function<Spot, CodePlace> frame) {
    Map<CodePlace, Double> frames = new HashMap<>();
    spots.forEach((spot, amount) -> frames.merge(frame.apply(spot), (double) amount, Double::sum));
    return frames.entrySet().stream()
        .filter(one -> one.getValue() >= (1 - Policy.NOTABLE) * Numbers.sum(frames))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private static Seen seen(Spot spot, Source source) {
    boolean same = spot.caller().method().equals(spot.place().method());
    return new Seen(
        spot.place(),
        spot.user().equals(spot.place()) ? Optional.empty() : Optional.of(spot.user()),
        same ? Optional.empty() : Optional.of(spot.caller()),
        spot.subject(),
        source);
  }

  /** The location of most threads of that kind in the dumps of the incident. */
  public Optional<Seen> inDumps(Predicate<ThreadState> which) {
    List<ThreadSnapshot> inside = incident.timeline().dumps(incident.window());
    List<ThreadSnapshot> dumps = inside.isEmpty() ? incident.timeline().dumps() : inside;
    Map<Seen, Integer> places = new HashMap<>();
    for (ThreadSnapshot dump : dumps) {
      for (ThreadState thread : dump.threads()) {
        if (which.test(thread)) {
          place(thread, dump.source()).ifPresent(place -> places.merge(place, 1, Integer::sum));
        }
      }
    }
    return places.entrySet().stream()
        .max(
            Map.Entry.<Seen, Integer>comparingByValue()
                .thenComparing(
                    entry -> entry.getKey().place(), Comparator.<CodePlace>naturalOrder()))
        .map(Map.Entry::getKey);
  }

  /** The location of most running request threads in the dumps. */
  public Optional<Seen> runningInDumps() {
    return inDumps(thread -> thread.requestThread() && thread.is(ThreadActivity.RUNNING));
  }

  /**
   * The most frequent innermost frame outside the JDK of running request threads in dumps; may be
   * empty.
   */
  public String mostRunInDumps() {
    return incident.timeline().dumps(incident.window()).stream()
        .flatMap(dump -> dump.requestThreads().stream())
        .filter(thread -> thread.is(ThreadActivity.RUNNING))
        .collect(Collectors.groupingBy(thread -> thread.standing().at(), Collectors.counting()))
        .entrySet()
        .stream()
        .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey)
        .orElse("");
  }

  /** The locations of the named threads, each once. */
  public List<Seen> of(ThreadSnapshot dump, List<String> names) {
    return named(dump, names)
        .flatMap(thread -> place(thread, dump.source()).stream())
        .distinct()
        .toList();
  }

  /** Those of named threads that are in a library and run no code of the service. */
  public static List<Seen> ofLibraries(ThreadSnapshot dump, List<String> names) {
    return named(dump, names)
        .filter(thread -> thread.standing().own().isEmpty() && !thread.standing().at().isEmpty())
        .map(
            thread ->
                new Seen(
                    new CodePlace(thread.standing().at(), CodePlace.NO_LINE),
                    Optional.empty(),
                    Optional.empty(),
                    thread.subject(),
                    dump.source()))
        .filter(seen -> !seen.place().isOfJdk())
        .distinct()
        .toList();
  }

  private static Stream<ThreadState> named(ThreadSnapshot dump, List<String> names) {
    return dump.threads().stream().filter(thread -> names.contains(thread.name()));
  }

  private static Optional<Seen> place(ThreadState thread, Source source) {
    return thread
        .standing()
        .own()
        .map(
            own ->
                new Seen(
                    own,
                    Optional.empty(),
                    thread.standing().caller().filter(one -> !one.method().equals(own.method())),
                    thread.subject(),
                    source));
  }
}
