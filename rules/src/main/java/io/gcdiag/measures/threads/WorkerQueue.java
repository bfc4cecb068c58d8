package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.VirtualThreadUse;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.DumpedCpu;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.ExactTest;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Work that waits for a free thread of a server or an executor. No event shows it. It follows from
 * Little's law if the load test had more requests in the system on average than there are threads
 * and none of these was idle. Or it shows in request threads that wait for an executor's results.
 *
 * @param group the threads' name, without numbers
 * @param role how the threads get their work
 * @param client the client that makes its calls on these threads and limits their number; else
 *     empty
 * @param waiting tasks or requests without a thread, on average; a lower bound
 * @param inSystem requests in the system on average (rate x mean latency), if known
 * @param seen where none of the threads was seen idle: {@code "in 2 of 3 dumps"}
 * @param work what the threads did, as shares that add up to 1
 * @param sources the dumps or the recording, and the load test
 */
public record WorkerQueue(
    String group,
    Role role,
    String client,
    double waiting,
    int workers,
    OptionalDouble inSystem,
    String seen,
    Map<ThreadActivity, Double> work,
    List<Source> sources) {

  /** How the threads get their work. */
  public enum Role {
    SERVER,
    /** Request threads wait for their results. */
    EXECUTOR,
    /** The server hands its requests over and no thread waits for them ({@link HandedWork}). */
    HANDED,
    /** The executor's own meters show its queue, and nothing shows what its threads do. */
    METERED;

    /** Whether requests wait for tasks of an executor. */
    public boolean ofTasks() {
      return this == EXECUTOR || this == METERED;
    }
  }

  /** An executor has too few threads if this many request threads wait for each of them. */
  private static final int WAITING_PER_WORKER = 2;

  public WorkerQueue {
    work = Collections.unmodifiableMap(new LinkedHashMap<>(work));
    sources = List.copyOf(sources);
  }

  /**
   * Whether this many request threads waiting for an executor's results are a queue for its
   * threads.
   */
  public static boolean isShort(double awaiting, double threads) {
    return awaiting >= WAITING_PER_WORKER * threads;
  }

  /**
   * The queue in the incident; from the recording if there are no dumps. Empty if a thread was idle
   * in half of the dumps or in much of the recording, or if nothing is known. If the load test has
   * more requests in the system than there are threads, a part of the window without a free thread
   * in the recording is enough, because the dumps may have been taken in the rest.
   *
   * <p>Request threads that wait for an executor are busy only because of it. If the recording
   * shows that the executor never has a free thread, the executor is the queue, even if dumps find
   * all request threads busy; or a thread of it at rest, if its tasks wait for results themselves.
   */
  public static Optional<WorkerQueue> of(Incident incident, Optional<RequestExcess> requests) {
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    Optional<WorkerQueue> recorded = recorded(incident, requests);
    Optional<WorkerQueue> found = dumps.isEmpty() ? recorded : inDumps(incident, dumps, requests);
    return recorded
        .filter(queue -> queue.role() == Role.EXECUTOR)
        .filter(
            queue -> found.map(one -> one.role() == Role.SERVER).orElseGet(queue::waitsForResults))
        .or(() -> found)
        .filter(queue -> queue.waiting() > 0)
        .or(() -> underLoad(incident, requests).filter(queue -> queue.waiting() > 0))
        .or(() -> computingLoops(incident, dumps, requests))
        .or(() -> ExecutorBacklog.ofRequests(incident, requests).map(q -> metered(q, requests)));
  }

  /** Whether most of its threads' time is spent waiting for what others do. */
  private boolean waitsForResults() {
    return work.getOrDefault(ThreadActivity.OTHER, 0.0) >= Policy.MAJORITY;
  }

  /** Threads that hold each task for as long as before do their usual work. */
  private static WorkerQueue metered(ExecutorBacklog queue, Optional<RequestExcess> requests) {
    return new WorkerQueue(
        queue.name().isEmpty() ? "of the server" : queue.name(),
        Role.METERED,
        "",
        queue.more(),
        queue.threads().orElseThrow(),
        Numbers.of(requests, RequestExcess::inSystem),
        "in %s readings of its meters%s".formatted(queue.readings().size(), queue.heldFor()),
        Map.of(queue.isHeldLonger() ? ThreadActivity.OTHER : ThreadActivity.RUNNING, 1.0),
        List.of(queue.source()));
  }

  /**
   * Event loops that use a core each without rest, all of their group, while the JVM's threads use
   * more than these: what comes in meanwhile waits for them and not for a core. A recording shows
   * it better.
   */
  private static Optional<WorkerQueue> computingLoops(
      Incident incident, List<ThreadSnapshot> dumps, Optional<RequestExcess> requests) {
    double inSystem =
        requests.filter(RequestExcess::compared).map(RequestExcess::inSystem).orElse(0.0);
    Map<String, List<ThreadState>> loops =
        DumpedCpu.withoutRest(dumps).stream()
            .map(DumpedCpu.Computing::thread)
            .filter(thread -> thread.standing().loop())
            .filter(thread -> !incident.timeline().sees(Signal.CPU_SAMPLES))
            .collect(Collectors.groupingBy(thread -> ThreadNames.numbered(thread.name())));
    return loops.entrySet().stream()
        .filter(group -> group(dumps.get(0), group.getKey()).size() == group.getValue().size())
        .filter(group -> isShort(inSystem, group.getValue().size()))
        .filter(group -> isMore(dumps, group.getValue().size()))
        .findFirst()
        .map(
            group ->
                new WorkerQueue(
                    group.getKey(),
                    Role.SERVER,
                    "",
                    inSystem - group.getValue().size(),
                    group.getValue().size(),
                    OptionalDouble.of(inSystem),
                    "without rest between " + Numbers.counted(dumps.size(), "dump"),
                    Map.of(ThreadActivity.RUNNING, 1.0),
                    dumps.stream().map(ThreadSnapshot::source).toList()));
  }

  /**
   * Whether dumps find each of the threads on a core without rest, and other threads on more than
   * these: then none is short of cores.
   */
  public boolean leavesCores(List<ThreadSnapshot> dumps) {
    long computing =
        DumpedCpu.withoutRest(dumps).stream()
            .filter(one -> ThreadNames.numbered(one.thread().name()).equals(group))
            .count();
    return computing >= workers && isMore(dumps, workers);
  }

  private static boolean isMore(List<ThreadSnapshot> dumps, int cores) {
    return DumpedCpu.between(dumps)
        .filter(used -> used.atMostCores() >= cores + Policy.NEGLIGIBLE)
        .isPresent();
  }

  private static Optional<WorkerQueue> underLoad(
      Incident incident, Optional<RequestExcess> requests) {
    return requests.flatMap(
        known ->
            OccupiedWorkers.partly(incident).stream()
                .filter(group -> known.inSystem() > group.workers())
                .findFirst()
                .map(group -> queue(incident, group, 0, requests)));
  }

  private static Optional<WorkerQueue> recorded(
      Incident incident, Optional<RequestExcess> requests) {
    double awaited = waitingForAnswers(incident.timeline(), incident.window());
    Optional<ClientDispatcher> limited =
        ClientDispatcher.atLimit(incident)
            .filter(one -> isShort(awaited, one.limit().orElseThrow()));
    if (limited.isPresent()) {
      return limited.map(one -> queue(incident, one, awaited, requests));
    }
    List<OccupiedWorkers> busy = OccupiedWorkers.of(incident);
    Stream<OccupiedWorkers> singles =
        OccupiedWorkers.alone(incident).stream().filter(one -> isAtWork(incident, one));
    return Stream.concat(busy.stream(), singles)
        .filter(group -> !group.serving() && isShort(awaited, group.workers()))
        .findFirst()
        .or(() -> busy.stream().filter(OccupiedWorkers::serving).findFirst())
        .or(() -> HandedWork.to(incident, busy))
        .map(group -> queue(incident, group, group.serving() ? 0 : awaited, requests));
  }

  /**
   * Whether a single thread does the work of requests: it is in calls or running most of the time,
   * and was idle at times in the baseline. Other single threads may wait for something of their
   * own, or read what arrives for others.
   */
  private static boolean isAtWork(Incident incident, OccupiedWorkers single) {
    return single.share(WaitKind.DOWNSTREAM) + single.running() >= Policy.MAJORITY
        && OccupiedWorkers.restedBefore(incident, single);
  }

  private static WorkerQueue queue(
      Incident incident, OccupiedWorkers group, double awaited, Optional<RequestExcess> requests) {
    Map<ThreadActivity, Double> work = new EnumMap<>(ThreadActivity.class);
    work.put(ThreadActivity.RUNNING, group.running());
    group
        .waiting()
        .forEach((kind, share) -> work.merge(ThreadActivity.of(kind), share, Double::sum));
    double length = incident.window().seconds();
    double inSystem = inProgress(incident, awaited, requests);
    return new WorkerQueue(
        group.group(),
        role(group, awaited),
        "",
        Math.max(0, inSystem - group.workers()) * Math.min(1, group.seconds() / length),
        group.workers(),
        Numbers.of(requests, known -> known.inSystem()),
        "in " + group.seconds() + " s of the window",
        work,
        sources(incident, requests));
  }

  /** Those whose result is awaited, or all in the system if these are more; no more than can be. */
  private static double inProgress(
      Incident incident, double awaited, Optional<RequestExcess> requests) {
    return requests
        .map(known -> Math.min(Math.max(awaited, known.inSystem()), known.atMostInSystem(incident)))
        .orElse(awaited);
  }

  private static Role role(OccupiedWorkers group, double awaited) {
    Role other = isShort(awaited, group.workers()) ? Role.EXECUTOR : Role.HANDED;
    return group.serving() ? Role.SERVER : other;
  }

  private static WorkerQueue queue(
      Incident incident,
      ClientDispatcher dispatcher,
      double awaited,
      Optional<RequestExcess> requests) {
    int limit = dispatcher.limit().orElseThrow();
    return new WorkerQueue(
        dispatcher.client(),
        Role.EXECUTOR,
        dispatcher.client(),
        awaited - limit,
        limit,
        Numbers.of(requests, known -> known.inSystem()),
        "by samples",
        Map.of(ThreadActivity.IN_DOWNSTREAM_CALL, 1.0),
        sources(incident, requests));
  }

  private static List<Source> sources(Incident incident, Optional<RequestExcess> requests) {
    List<Source> sources = new ArrayList<>();
    sources.add(incident.timeline().recorded("jdk.ThreadPark, jdk.NativeMethodSample"));
    requests.ifPresent(known -> sources.add(known.source()));
    return sources;
  }

  /**
   * Request threads that wait for something other than a pool, lock, file or call, on average by a
   * recording. They wait for the results of other threads.
   */
  public static double waitingForAnswers(Timeline timeline, Window window) {
    return WaitSeries.threads(WaitSeries.ofRequests(timeline.waits(WaitKind.OTHER)), window);
  }

  private static Optional<WorkerQueue> inDumps(
      Incident incident, List<ThreadSnapshot> dumps, Optional<RequestExcess> requests) {
    Map<String, DumpedWorkers> groups = new TreeMap<>();
    for (ThreadSnapshot dump : dumps) {
      // A wait for something other than a pool, lock, file or call is one for a result.
      long waiting = dump.requestsAt(ThreadActivity.OTHER);
      byName(dump)
          .forEach(
              (name, threads) ->
                  groups
                      .computeIfAbsent(name, DumpedWorkers::new)
                      .add(threads, waiting, dump.source()));
    }
    double inSystem = requests.map(RequestExcess::inSystem).orElse(0.0);
    groups.values().forEach(group -> group.setSpareApart(dumps.size(), inSystem));
    List<DumpedWorkers> busy =
        groups.values().stream().filter(group -> group.isOccupied(dumps.size(), inSystem)).toList();
    return busy.stream()
        .filter(DumpedWorkers::isExecutor)
        .findFirst()
        .or(() -> busy.stream().filter(DumpedWorkers::isServing).findFirst())
        .or(() -> HandedWork.to(incident, dumps, busy))
        .map(group -> group.queue(incident, dumps.size(), requests));
  }

  /**
   * Threads by their name without numbers. Threads of the JVM have no Java state and are left out,
   * and so are virtual threads, whose number is not limited.
   */
  public static Map<String, List<ThreadState>> byName(ThreadSnapshot dump) {
    Map<String, List<ThreadState>> groups =
        dump.threads().stream()
            .filter(thread -> !thread.state().isEmpty() && !thread.name().isBlank())
            .filter(thread -> !thread.virtual())
            .collect(
                Collectors.groupingBy(
                    thread -> ThreadNames.numbered(thread.name()),
                    TreeMap::new,
                    Collectors.toList()));
    groups.replaceAll((name, threads) -> withoutLoops(threads));
    return groups;
  }

  /** The threads of one name; none if the dump has none. */
  public static List<ThreadState> group(ThreadSnapshot dump, String name) {
    return byName(dump).getOrDefault(name, List.of());
  }

  /**
   * The threads of a group that take work. If some of them are known to serve requests, others of
   * the same name are loops of the server, such as Jetty's selectors. A dump shows those as running
   * in a system call, while a worker without work waits.
   */
  private static List<ThreadState> withoutLoops(List<ThreadState> group) {
    return group.stream().noneMatch(ThreadState::requestThread)
        ? group
        : group.stream().filter(t -> t.requestThread() || isFree(t)).toList();
  }

  /** Whether it is parked without work. An event loop waits in its selector and looks busy. */
  public static boolean isFree(ThreadState thread) {
    return thread.is(ThreadActivity.IDLE) && thread.state().endsWith("WAITING");
  }

  /**
   * Threads that a server hands its requests to. A handler on an event loop puts the request into
   * an executor's queue and is free again; the thread that has the result sends it. No frame marks
   * these threads as request threads, and no thread waits for them. They are recognised by this:
   * since the incident began all of them are at work, while the server's own threads are mostly
   * idle.
   */
  private static final class HandedWork {

    /**
     * If fewer of the server's own threads than this are busy on average, they only accept requests
     * and send responses.
     */
    private static final double FEWEST_SERVING = 1;

    /** The largest of the busy groups, if it does the work of requests, by dumps. */
    static Optional<DumpedWorkers> to(
        Incident incident, List<ThreadSnapshot> dumps, List<DumpedWorkers> busy) {
      double serving = dumps.stream().mapToLong(HandedWork::serving).average().orElse(0);
      return isServerAtRest(incident, serving)
          ? busy.stream()
              .max(Comparator.comparingInt(DumpedWorkers::size))
              .filter(group -> beganToWork(incident, group.name))
          : Optional.empty();
    }

    static Optional<OccupiedWorkers> to(Incident incident, List<OccupiedWorkers> busy) {
      double serving = BackgroundWorkers.serving(incident.timeline(), incident.window());
      return isServerAtRest(incident, serving)
          ? busy.stream()
              .max(Comparator.comparingInt(OccupiedWorkers::workers))
              .filter(group -> beganToWork(incident, group.group()))
          : Optional.empty();
    }

    private static long serving(ThreadSnapshot dump) {
      return dump.requestThreads().size() - dump.requestsAt(ThreadActivity.IDLE);
    }

    /**
     * Most virtual request threads are in no dump and no sample, so nothing shows whether they are
     * idle.
     */
    private static boolean isServerAtRest(Incident incident, double serving) {
      return serving < FEWEST_SERVING
          && incident.timeline().samples(VirtualThreadUse.class).isEmpty();
    }

    /**
     * Whether these threads were idle for a part of the baseline; true if nothing shows it. Threads
     * that were busy all the time do work of their own.
     */
    private static boolean beganToWork(Incident incident, String group) {
      Timeline timeline = incident.timeline();
      Optional<Window> baseline = incident.baseline();
      return baseline.isEmpty()
          || !timeline.sees(Signal.THREAD_PARKS)
          || BackgroundWorkers.rested(timeline, baseline.get(), group) >= Policy.NOTABLE;
    }
  }

  /** One group of threads over all dumps. */
  private static final class DumpedWorkers {

    /**
     * A result more likely by chance than this does not count. The smallest that counts: three
     * threads, all at work in the only dump.
     */
    private static final double CHANCE = Math.pow(Policy.MAJORITY, Policy.RECURRING);

    private final String name;
    private final Map<ThreadActivity, Double> work = new EnumMap<>(ThreadActivity.class);
    private final List<Source> sources = new ArrayList<>();
    private boolean serving;
    private String client = "";
    private final List<Part> working = new ArrayList<>();
    private String spare = "";
    private int busy;
    private int size;
    private double seen;
    private double awaited;

    DumpedWorkers(String name) {
      this.name = name;
    }

    /** The threads at work in a dump that found most of the group at work. */
    private record Part(List<ThreadState> threads, long waitingForAnswers, Source source) {}

    void add(List<ThreadState> threads, long waitingForAnswers, Source source) {
      List<ThreadState> notIdle =
          threads.stream().filter(t -> t.activity() != ThreadActivity.IDLE).toList();
      serving |= threads.stream().anyMatch(ThreadState::requestThread);
      if (notIdle.size() >= Policy.FEWEST_QUEUED
          && notIdle.size() > Policy.MAJORITY * threads.size()
          && notIdle.stream().anyMatch(DumpedWorkers::isAtWork)) {
        Part part = new Part(notIdle, waitingForAnswers, source);
        working.add(part);
        if (notIdle.size() == threads.size()) {
          addFull(part);
        }
      }
    }

    private void addFull(Part part) {
      client = busy == 0 ? ClientDispatcher.of(part.threads()).orElse("") : client;
      busy++;
      size = Math.max(size, part.threads().size());
      seen += part.threads().size();
      awaited += part.waitingForAnswers();
      part.threads().forEach(thread -> work.merge(thread.activity(), 1.0, Double::sum));
      sources.add(part.source());
    }

    /**
     * Counts idle threads as spare if every dump finds the same number of threads at work although
     * more requests are in the system. That number is then the limit of the group; a pool without a
     * limit keeps one or two threads more.
     *
     * @param inSystem requests in the system, by what users measured
     */
    void setSpareApart(int dumps, double inSystem) {
      long counts = working.stream().map(part -> part.threads().size()).distinct().count();
      if (!serving
          && counts == 1
          && working.size() == dumps
          && dumps >= Policy.FEWEST_DUMPS
          && busy < dumps
          && WorkerQueue.isShort(inSystem, working.get(0).threads().size())) {
        working.stream().filter(part -> !sources.contains(part.source())).forEach(this::addFull);
        spare = ", beside idle ones";
      }
    }

    /**
     * Threads that serve no requests mostly sleep between two rounds of work, so a sleep is no work
     * there.
     */
    private static boolean isAtWork(ThreadState thread) {
      return !thread.is(ThreadActivity.OTHER)
          && (thread.requestThread() || !thread.is(ThreadActivity.SLEEPING));
    }

    /**
     * Whether all threads were found at work in at least half of the dumps; for the server's own
     * threads, in any dump if there are more requests in the system than threads. The result must
     * be unlikely for threads that are at work half of the time: with two threads, one dump in four
     * finds both at work by chance.
     *
     * @param inSystem requests in the system, by what users measured
     */
    boolean isOccupied(int dumps, double inSystem) {
      return busy > 0
          && (2 * busy >= dumps || serving && inSystem > size)
          && ExactTest.atLeast(busy, dumps, Math.pow(Policy.MAJORITY, seen / busy)) <= CHANCE;
    }

    boolean isServing() {
      return serving;
    }

    /** Whether request threads wait for more tasks than the group has threads. */
    boolean isExecutor() {
      return !serving && busy > 0 && WorkerQueue.isShort(awaited, seen);
    }

    private WorkerQueue.Role role() {
      WorkerQueue.Role other = isExecutor() ? WorkerQueue.Role.EXECUTOR : WorkerQueue.Role.HANDED;
      return serving ? WorkerQueue.Role.SERVER : other;
    }

    int size() {
      return size;
    }

    /**
     * The queue for these threads in the dumps that found all of them at work. For a server's own
     * threads, the average over all of the time by Little's law: the requests in the system beyond
     * the number of threads.
     */
    WorkerQueue queue(Incident incident, int dumps, Optional<RequestExcess> requests) {
      double inGroup = serving ? 0 : awaited / busy;
      double inProgress = inProgress(incident, inGroup, requests);
      requests.ifPresent(known -> sources.add(known.source()));
      work.replaceAll((activity, count) -> count / seen);
      return new WorkerQueue(
          name,
          role(),
          client,
          Math.max(0, inProgress - size) * (serving ? 1 : busy / (double) dumps),
          size,
          Numbers.of(requests, known -> known.inSystem()),
          "in " + busy + " of " + Numbers.counted(dumps, "dump") + spare,
          work,
          sources);
    }
  }
}
