package io.gcdiag.causes.waits;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.CombinedRule;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.PlaceText;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.causes.workers.ExhaustedGroup;
import io.gcdiag.causes.workers.ThreadsAtWork;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Most request threads are in one method that no other cause covers. */
public final class NativeOrUnknownCause extends Cause {
  public NativeOrUnknownCause() {
    super(
        Hypothesis.NATIVE_OR_UNKNOWN,
        "Most request threads are in one method: a native call, a latch, a loop",
        "look at the named code: what does it call or wait for, and who is to end "
            + "that? Take three dumps some seconds apart (jcmd PID Thread.print -l) to "
            + "see whether it gets on",
        List.of(new UnknownWaitsRule()),
        Trait.OF_SOME_REQUESTS);
    chartLine("for a latch or condition", "Waits in one method");
  }

  @Override
  public void place(PlaceParts found) {
    found.code(
        found
            .own()
            .inDumps(ThreadState::requestThread)
            .or(() -> found.own().most(Activity.WAITING, Spot::onRequestThread)));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.code("find what ends this wait and why it ends late; bound it with a timeout");
  }

  /** Names the place where request threads wait, whatever they wait for. */
  static final class UnknownWaitsRule implements CombinedRule {

    /**
     * The waits of a recording that no other cause covers: a latch, a condition, a child process.
     */
    // Any of these signals suffices: parks, monitor waits, reads of pipes.
    @Judges(Hypothesis.NATIVE_OR_UNKNOWN)
    private record Recorded(String id) implements Rule {

      @Override
      public List<Finding> examine(MeasuredIncident incident) {
        return new WaitFinding(id, Effect.OTHER_WAIT, Hypothesis.NATIVE_OR_UNKNOWN)
            .findings(incident, "", Optional.empty());
      }
    }

    @Override
    public List<Rule> sensors() {
      return List.of(new SharedFrame(id()), new Recorded(id()));
    }

    /**
     * The place of most request threads, whatever they do there: a latch, an endless loop, a native
     * call, a queue of an unknown library. If no request threads are known, that of most virtual
     * threads.
     */
    @Judges(
        value = {
          Hypothesis.NATIVE_OR_UNKNOWN,
          Hypothesis.LOCK_CONTENTION,
          Hypothesis.SLOW_DOWNSTREAM,
          Hypothesis.SLOW_DISK,
          Hypothesis.REQUESTS_SLEEP,
          Hypothesis.LOG_QUEUE_FULL,
          Hypothesis.DIRECT_MEMORY,
          Hypothesis.SLOW_CLIENTS
        },
        needs = Signal.THREAD_DUMPS)
    private record SharedFrame(String id) implements Rule {

      /**
       * The largest group of threads at one place in a dump.
       *
       * @param atWork so many threads of the dump have work; of requests, where such are known
       */
      private record Crowd(ThreadSnapshot dump, List<ThreadState> threads, int atWork) {
        /** The innermost frame outside the JDK, with what the threads do there. */
        String place() {
          return PlaceText.of(threads);
        }

        String key() {
          return PlaceText.key(threads.get(0));
        }

        double share() {
          return threads.size() / (double) atWork;
        }

        boolean isMost() {
          return threads.size() >= Policy.FEWEST_QUEUED && 2 * threads.size() > atWork;
        }
      }

      @Override
      public List<Finding> examine(MeasuredIncident incident) {
        Function<ThreadSnapshot, List<ThreadState>> atWork = atWork(incident);
        List<ThreadSnapshot> dumps =
            ExhaustedGroup.dumps(incident).stream()
                .filter(dump -> !atWork.apply(dump).isEmpty())
                .toList();
        Map<String, List<Crowd>> places =
            dumps.stream()
                .flatMap(dump -> crowd(atWork.apply(dump), dump).filter(Crowd::isMost).stream())
                .collect(Collectors.groupingBy(Crowd::key, TreeMap::new, Collectors.toList()));
        // If two places alternate, neither has most threads.
        return places.values().stream()
            .filter(crowds -> 2 * crowds.size() > dumps.size())
            .filter(
                crowds ->
                    isWork(largest(crowds).threads().get(0)) || isLead(largest(crowds), incident))
            .map(crowds -> told(crowds, dumps.size(), incident))
            .toList();
      }

      /**
       * Whether a single dump is the only evidence of what requests wait for. Rules that judge
       * waits by dumps need two, because one may show a chance moment; one is still a lead.
       */
      private static boolean isAlone(Incident incident) {
        return incident.timeline().dumps().size() == 1
            && !incident.timeline().sees(Signal.THREAD_PARKS)
            && !incident.timeline().sees(Signal.MONITOR_WAITS);
      }

      /**
       * The busy request threads; if none are known, virtual threads, each of which is a task of
       * its own. In a single dump, all busy threads, including those of the JVM and of libraries,
       * so the place alone proves nothing.
       */
      private static Function<ThreadSnapshot, List<ThreadState>> atWork(Incident incident) {
        if (isAlone(incident)) {
          return ThreadsAtWork::of;
        }
        boolean known =
            ExhaustedGroup.dumps(incident).stream().anyMatch(ThreadSnapshot::showsRequests);
        return dump ->
            dump.threads().stream()
                .filter(thread -> known ? thread.requestThread() : thread.virtual())
                .filter(thread -> !thread.is(ThreadActivity.IDLE))
                .toList();
      }

      private static boolean isWork(ThreadState thread) {
        return thread.requestThread() || thread.virtual();
      }

      private static Optional<Crowd> crowd(List<ThreadState> atWork, ThreadSnapshot dump) {
        return atWork.stream()
            .filter(thread -> !thread.standing().at().isEmpty())
            .collect(Collectors.groupingBy(PlaceText::key, TreeMap::new, Collectors.toList()))
            .values()
            .stream()
            .max(Comparator.comparingInt(List::size))
            .map(threads -> new Crowd(dump, threads, atWork.size()));
      }

      private static Crowd largest(List<Crowd> crowds) {
        return crowds.stream()
            .max(Comparator.comparingInt(crowd -> crowd.threads().size()))
            .orElseThrow();
      }

      private static boolean isLead(Crowd crowd, Incident incident) {
        return isAlone(incident)
            && crowd.threads().size() >= Policy.FEWEST_COUNTED
            && cause(crowd).isPresent();
      }

      /**
       * Whether in each dump more requests wait there than the load test had in progress before, so
       * that this wait is what changed. A thread that waits for a future waits for the work of
       * another thread, which is somewhere else.
       */
      private static boolean isGrown(List<Crowd> crowds, int dumps, MeasuredIncident incident) {
        ThreadState one = largest(crowds).threads().get(0);
        return crowds.size() >= Policy.FEWEST_DUMPS
            && crowds.size() == dumps
            && one.requestThread()
            && (one.is(ThreadActivity.OTHER)
                || one.is(ThreadActivity.RUNNING)
                    && mayNotCompute(least(crowds, crowd -> crowd.threads().size()), incident))
            && !one.subject().contains("Future")
            && incident
                .requests()
                .filter(RequestExcess::compared)
                .filter(
                    any -> least(crowds, crowd -> crowd.threads().size()) > any.inSystemBefore())
                .isPresent();
      }

      /**
       * Whether so many threads that are running by their state do not compute: they would use more
       * of the cores, and the cores are free. They wait inside a native call, which the JVM calls
       * running as well.
       */
      private static boolean mayNotCompute(double threads, MeasuredIncident incident) {
        Timeline timeline = incident.timeline();
        double cores = Math.min(threads, MachineLoad.cores(timeline));
        return !MachineLoad.isFull(timeline, incident.window())
            && CpuUse.of(timeline, incident.window())
                .map(use -> use.jvm() * MachineLoad.cores(timeline))
                .filter(used -> used < Policy.MAJORITY * cores)
                .isPresent();
      }

      private static double least(List<Crowd> crowds, ToDoubleFunction<Crowd> figure) {
        return crowds.stream().mapToDouble(figure).min().orElseThrow();
      }

      /** Threads that wait for a connection are judged by what the holders of connections do. */
      private static Optional<Hypothesis> cause(Crowd crowd) {
        return crowd
            .threads()
            .get(0)
            .activity()
            .waitsFor()
            .filter(kind -> kind != WaitKind.POOL)
            .flatMap(Hypothesis::of);
      }

      private Finding told(List<Crowd> crowds, int dumps, MeasuredIncident incident) {
        Crowd largest = largest(crowds);
        String share =
            Numbers.count(largest.threads().size()) + " of " + Numbers.count(largest.atWork());
        boolean requests = largest.threads().get(0).requestThread();
        String whose =
            requests
                ? " request threads"
                : isWork(largest.threads().get(0)) ? " virtual threads" : " threads";
        FindingBuilder finding =
            Finding.of(
                    id(),
                    "%s%s at work are in one method, %s; most of them are there in %s of %s"
                        .formatted(
                            share,
                            whose,
                            largest.place(),
                            crowds.size(),
                            Numbers.counted(dumps, "dump")))
                .brief(share + whose + " in one method")
                .value("threads", largest.threads().size())
                .value(requests ? "requestThreadsAtWork" : "threadsAtWork", largest.atWork())
                .value("dumps", crowds.size())
                .from(crowds.stream().map(crowd -> crowd.dump().source()).toList());
        ThreadActivity activity = largest.threads().get(0).activity();
        if (isGrown(crowds, dumps, incident)) {
          return finding
              .explains(
                  Hypothesis.NATIVE_OR_UNKNOWN, Effect.UNACCOUNTED, least(crowds, Crowd::share))
              .build();
        }
        if (activity == ThreadActivity.RUNNING || activity == ThreadActivity.OTHER) {
          return finding.supports(Hypothesis.NATIVE_OR_UNKNOWN).build();
        }
        if (isLead(largest, incident)) {
          finding.supports(cause(largest).orElseThrow());
        }
        return finding.weakens(Hypothesis.NATIVE_OR_UNKNOWN).build();
      }
    }
  }
}
