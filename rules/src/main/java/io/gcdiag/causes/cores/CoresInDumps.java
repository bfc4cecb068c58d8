package io.gcdiag.causes.cores;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.PlaceText;
import io.gcdiag.causes.workers.ThreadsAtWork;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.CoreQueue;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.UnrecordedStops;
import io.gcdiag.measures.jvm.DumpedCpu;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.List;
import java.util.Optional;

/**
 * How many requests thread dumps find running at a time, and how much of the cores the JVM's
 * threads used from one dump to the next, where nothing says how full the cores are. Few cores used
 * are no shortage of them; more requests that run than cores are a lead, and with the service's
 * threads using nearly all of the cores a queue for them.
 */
final class CoresInDumps {

  private static final String WALK = "java.lang.Throwable.fillInStackTrace";

  static Optional<Finding> of(String rule, MeasuredIncident incident) {
    int cores = incident.timeline().jvm().cpus().orElse(0);
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    if (incident.timeline().sees(Signal.CPU_LOAD)) {
      return Optional.empty();
    }
    Optional<Finding> waiting =
        exceptions(rule, dumps)
            .or(
                () ->
                    CoreQueue.Crowd.of(incident.timeline(), incident.window())
                        .map(crowd -> crowd(rule, crowd)));
    if (waiting.isPresent()) {
      return waiting;
    }
    Optional<DumpedCpu> used = DumpedCpu.between(dumps);
    List<DumpedCpu.Computing> computing = DumpedCpu.withoutRest(dumps);
    if (cores == 0) {
      return used.filter(any -> !computing.isEmpty())
          .map(cpu -> computing(rule, incident, dumps, cpu, computing))
          .or(() -> used.flatMap(cpu -> mostly(rule, incident, dumps, cpu)));
    }
    List<ThreadSnapshot> crowded =
        dumps.stream().filter(dump -> dump.runningRequests() > cores).toList();
    boolean crowd =
        dumps.size() == 1
            && crowded.stream()
                .anyMatch(d -> d.runningRequests() >= CoreQueue.MOST_COMPETING * cores);
    if (DumpTimes.areOften(crowded.size(), dumps) || crowd) {
      return Optional.of(lead(rule, incident, cores, dumps, used));
    }
    return used.filter(cpu -> cpu.atMostCores() < Policy.CLEAR_ROOM * cores)
        .map(cpu -> room(rule, incident, cores, dumps, cpu, computing))
        .or(
            () ->
                used.filter(cpu -> !computing.isEmpty())
                    .map(cpu -> computing(rule, incident, dumps, cpu, computing)));
  }

  /**
   * Requests that mostly compute, however many cores there are: by Little's law the cores in use
   * are the requests that compute at a time, beside all that are in progress. Dumps find none that
   * waits for anything.
   */
  private static Optional<Finding> mostly(
      String rule, MeasuredIncident incident, List<ThreadSnapshot> dumps, DumpedCpu used) {
    double inSystem = incident.requests().map(RequestExcess::inSystem).orElse(0.0);
    double computing = used.serviceCores() + used.newcomersCores();
    List<ThreadState> atWork =
        dumps.stream()
            .filter(ThreadSnapshot::showsRequests)
            .flatMap(dump -> ThreadsAtWork.of(dump).stream())
            .toList();
    boolean all = atWork.stream().allMatch(thread -> thread.is(ThreadActivity.RUNNING));
    if (!all
        || atWork.size() < Policy.FEWEST_COUNTED
        || computing < 1
        || computing < Policy.MAJORITY * inSystem
        || UnrecordedStops.atMost(incident) >= Policy.NOTABLE) {
      return Optional.empty();
    }
    double share = Math.min(1, computing / inSystem);
    return Optional.of(
        Finding.of(
                rule,
                "requests compute for %s of their time: Java threads use %s cores between dumps, of %s requests in progress, and all %s at work in %s run, most at %s"
                    .formatted(
                        new Ratio(share),
                        Numbers.threeDigits(computing),
                        Numbers.threeDigits(inSystem),
                        atWork.size(),
                        Numbers.counted(dumps.size(), "dump"),
                        ThreadsAtWork.most(dumps, ThreadActivity.RUNNING, true)))
            .figure("time of requests computing", new Ratio(share).toString())
            .value("coresUsed", computing)
            .value("requestsInSystem", inSystem)
            .from(dumps.stream().map(ThreadSnapshot::source).toList())
            .explains(Hypothesis.CPU_SATURATION, Effect.UNACCOUNTED, share)
            .build());
  }

  private static Finding crowd(String rule, CoreQueue.Crowd crowd) {
    long most =
        crowd.dumps().stream().mapToLong(ThreadSnapshot::runningRequests).max().orElseThrow();
    return Finding.of(
            rule,
            "up to %s requests run at a time in %s, while the JVM's threads use %s: the others wait for a CPU"
                .formatted(
                    Numbers.count(most),
                    Numbers.counted(crowd.dumps().size(), "dump"),
                    Numbers.counted(crowd.cores(), "core")))
        .figure("requests that run, in a dump, most", Numbers.count(most))
        .value("running", most)
        .value("coresUsed", crowd.cores())
        .from(crowd.dumps().stream().map(ThreadSnapshot::source).toList())
        .explains(Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE, 1)
        .build();
  }

  /**
   * Most threads that run are in the same method of the JVM, which walks the stack of a new
   * exception: no service that works is found there that often.
   */
  private static Optional<Finding> exceptions(String rule, List<ThreadSnapshot> dumps) {
    List<ThreadState> running =
        dumps.stream()
            .flatMap(dump -> dump.threads().stream())
            .filter(thread -> thread.is(ThreadActivity.RUNNING))
            .toList();
    List<ThreadState> filling =
        running.stream().filter(thread -> thread.subject().equals(WALK)).toList();
    boolean often =
        DumpTimes.areOften(
            dumps.stream()
                .filter(dump -> dump.threads().stream().anyMatch(t -> t.subject().equals(WALK)))
                .count(),
            dumps);
    if (!often || filling.size() < Policy.MAJORITY * running.size()) {
      return Optional.empty();
    }
    double share = filling.size() / (double) running.size();
    String how = "request threads create exceptions meanwhile";
    return Optional.of(
        Finding.of(
                rule,
                "%s of %s threads that run, in %s, write the stack trace of a new exception"
                    .formatted(
                        filling.size(), running.size(), Numbers.counted(dumps.size(), "dump")))
            .figure(
                "threads that run and create an exception",
                filling.size() + " of " + running.size())
            .value("creating", filling.size())
            .value("running", running.size())
            .samples(running.size())
            .from(dumps.stream().map(ThreadSnapshot::source).toList())
            .explains(Hypothesis.EXCEPTION_STORM, Effect.CPU_QUEUE, share)
            .passes(Effect.UNACCOUNTED, Effect.CPU_QUEUE, share, how)
            .passes(Effect.WORKER_WAIT, Effect.CPU_QUEUE, share, how)
            .build());
  }

  /**
   * Threads that compute without rest: by dumps alone, where they are and how much they use. How
   * many cores there are may be unknown.
   */
  private static Finding computing(
      String rule,
      MeasuredIncident incident,
      List<ThreadSnapshot> dumps,
      DumpedCpu used,
      List<DumpedCpu.Computing> threads) {
    int cores = incident.timeline().jvm().cpus().orElse(0);
    boolean full = cores > 0 && used.serviceCores() >= CoreQueue.Crowd.FULL * cores;
    FindingBuilder finding =
        Finding.of(
                rule,
                "%s used a core without rest between dumps (%s), most %s; all threads together used %s cores%s"
                    .formatted(
                        Numbers.counted(threads.size(), "thread"),
                        Durations.format(used.covered()),
                        named(threads.get(0)),
                        Numbers.threeDigits(used.atMostCores()),
                        cores == 0 ? "" : " of " + cores))
            .value("withoutRest", threads.size())
            .value("coresUsed", used.atMostCores())
            .from(dumps.stream().map(ThreadSnapshot::source).toList());
    threads.stream()
        .limit(Policy.MOST_NAMED)
        .forEach(one -> finding.figure(named(one), Numbers.threeDigits(one.cores()) + " cores"));
    return finding
        .supports(
            Hypothesis.CPU_SATURATION, full && incident.timeline().mainRequestStats().isEmpty())
        .build();
  }

  private static String named(DumpedCpu.Computing computing) {
    ThreadState thread = computing.thread();
    return thread.name() + (thread.standing().at().isEmpty() ? "" : ", " + PlaceText.of(thread));
  }

  private static Finding lead(
      String rule,
      MeasuredIncident incident,
      int cores,
      List<ThreadSnapshot> dumps,
      Optional<DumpedCpu> used) {
    List<ThreadSnapshot> crowded =
        dumps.stream().filter(dump -> dump.runningRequests() > cores).toList();
    long most = crowded.stream().mapToLong(ThreadSnapshot::runningRequests).max().orElseThrow();
    FindingBuilder finding =
        Finding.of(
                rule,
                "up to %s requests run at a time, more than there are cores (%s) in %s of %s%s"
                    .formatted(
                        Numbers.count(most),
                        cores,
                        crowded.size(),
                        Numbers.counted(dumps.size(), "dump"),
                        used.map(
                                cpu ->
                                    "; Java threads used at least %s cores between dumps%s"
                                        .formatted(
                                            Numbers.threeDigits(cpu.serviceCores()),
                                            collector(cpu)))
                            .orElse("")))
            .value("running", most)
            .value("cores", cores)
            .value("coresUsed", Numbers.of(used, DumpedCpu::serviceCores))
            .from(crowded.stream().map(ThreadSnapshot::source).toList());
    if (used.filter(cpu -> cpu.atMostCores() < Policy.CLEAR_ROOM * cores).isPresent()) {
      return finding.accompanies(Hypothesis.CPU_SATURATION).build();
    }
    // A load test shows directly whether requests take too long.
    boolean full =
        used.filter(cpu -> cpu.serviceCores() >= CoreQueue.Crowd.FULL * cores).isPresent();
    return finding
        .supports(
            Hypothesis.CPU_SATURATION, full && incident.timeline().mainRequestStats().isEmpty())
        .build();
  }

  private static Finding room(
      String rule,
      MeasuredIncident incident,
      int cores,
      List<ThreadSnapshot> dumps,
      DumpedCpu used,
      List<DumpedCpu.Computing> computing) {
    boolean most =
        Durations.seconds(used.covered()) >= Policy.MAJORITY * incident.window().seconds();
    return Finding.of(
            rule,
            "all threads together used %s of %s cores between dumps (%s)%s%s"
                .formatted(
                    Numbers.threeDigits(used.atMostCores()),
                    cores,
                    Durations.format(used.covered()),
                    collector(used),
                    computing.isEmpty() ? "" : "; without rest " + named(computing.get(0))))
        .brief(
            "all threads together used %s of %s between dumps: %s"
                .formatted(
                    Numbers.threeDigits(used.atMostCores()),
                    Numbers.counted(cores, "core"),
                    cores == 1 ? "it is free" : "cores are free"))
        .value("coresUsed", used.atMostCores())
        .value("cores", cores)
        .from(dumps.stream().map(ThreadSnapshot::source).toList())
        .contradicts(Hypothesis.CPU_SATURATION, most)
        .build();
  }

  private static String collector(DumpedCpu used) {
    return used.collectorCores() < Policy.LEAST_THREADS_FELT
        ? ""
        : ", the collector " + Numbers.threeDigits(used.collectorCores());
  }
}
