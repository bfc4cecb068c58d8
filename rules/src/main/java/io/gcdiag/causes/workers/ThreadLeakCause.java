package io.gcdiag.causes.workers;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.OwnPlaces.Seen;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadCount;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.CoreQueue;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.DumpedCpu;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.TrendLine;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The number of threads grows without bound. */
public final class ThreadLeakCause extends Cause {
  public ThreadLeakCause() {
    super(
        Hypothesis.THREAD_LEAK,
        "Thread leak: threads are started and never end",
        "end what the named code starts: cancel the timer, shut the executor down, "
            + "or share one; then watch the number of threads",
        List.of(new ThreadGrowthRule()));
  }

  @Override
  public void place(PlaceParts found) {
    found.code(found.own().mostOfAll(Activity.STARTING_THREADS).map(Seen::ofService));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.code(
        "stop what it starts: cancel the timer, shut the executor down, or share one");
  }

  /**
   * Asks whether the number of threads grows without bound, and which code starts them, by the
   * counts in a recording and by thread names in consecutive dumps.
   */
  @Judges(
      value = Hypothesis.THREAD_LEAK,
      needs = Signal.THREAD_COUNTS,
      standIns = Signal.THREAD_DUMPS)
  static final class ThreadGrowthRule implements Rule {

    /** Default names, by {@code Executors.DefaultThreadFactory} and {@code java.util.Timer}. */
    private static final Set<String> UNNAMED = Set.of("pool-*-thread-*", "Timer-*");

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      List<GrowingGroup> growing = GrowingGroup.of(incident);
      return Stream.of(
              growing.stream().findFirst().map(most -> told(incident, most, growing)),
              growing.isEmpty() ? piled(incident.timeline().dumps()) : Optional.<Finding>empty(),
              counted(incident))
          .flatMap(Optional::stream)
          .toList();
    }

    /** A service has a handful of such executors; one for each task, never shut down, piles up. */
    private Optional<Finding> piled(List<ThreadSnapshot> dumps) {
      List<ThreadSnapshot> last = dumps.subList(Math.max(0, dumps.size() - 1), dumps.size());
      List<String> names =
          last.stream()
              .flatMap(dump -> dump.threads().stream())
              .filter(thread -> thread.is(ThreadActivity.IDLE))
              .map(ThreadState::name)
              .filter(name -> UNNAMED.contains(ThreadNames.group(name)))
              .toList();
      long executors = names.stream().map(name -> name.split("-thread")[0]).distinct().count();
      if (executors < UnendedThreads.FEWEST) {
        return Optional.empty();
      }
      String statement =
          "%s executors or timers without a name of their own in one dump (%s to %s), with %s idle threads"
              .formatted(
                  Numbers.count(executors),
                  names.get(0),
                  names.get(names.size() - 1),
                  Numbers.count(names.size()));
      return Optional.of(
          Finding.of(id(), statement)
              .value("executors", executors)
              .from(last.get(0).source())
              .supports(Hypothesis.THREAD_LEAK)
              .build());
    }

    private Optional<Finding> counted(MeasuredIncident incident) {
      List<ThreadCount> counts = incident.timeline().samples(ThreadCount.class, incident.window());
      if (counts.size() < TrendLine.FEWEST_POINTS) {
        return Optional.empty();
      }
      List<UnendedThreads> leaks = UnendedThreads.of(incident);
      ThreadCount first = counts.get(0);
      ThreadCount last = counts.get(counts.size() - 1);
      Optional<TrendLine> trend = trend(counts);
      FindingBuilder finding =
          Finding.of(
                  id(),
                  "%s -> %s threads in the incident%s%s"
                      .formatted(
                          Numbers.count(first.active()),
                          Numbers.count(last.active()),
                          leaks.isEmpty() ? trend.map(ThreadGrowthRule::interval).orElse("") : "",
                          leaks.stream().findFirst().map(ThreadGrowthRule::told).orElse("")))
              .figure(
                  "threads",
                  Optional.of(Numbers.count(first.active())),
                  Numbers.count(last.active()))
              .value("first", first.active())
              .value("last", last.active())
              .value("kept", leaks.stream().mapToLong(UnendedThreads::kept).sum())
              .from(last.source());
      leaks.stream().findFirst().ifPresent(leak -> finding.from(leak.source()));
      trend.ifPresent(
          line -> finding.value("slopePerMinute", line.slope() * Durations.SECONDS_PER_MINUTE));
      // If the number never changed, the slope adds nothing.
      trend
          .filter(line -> line.slopeLow() != 0 || line.slopeHigh() != 0)
          .ifPresent(
              line ->
                  finding.sum(
                      "slope %s threads per minute, with 95 %% confidence %s to %s"
                          .formatted(
                              perMinute(line.slope()),
                              perMinute(line.slopeLow()),
                              perMinute(line.slopeHigh()))));
      boolean grows =
          trend.filter(line -> line.slope() > 0 && line.slopeDiffersFromZero()).isPresent();
      if (!leaks.isEmpty()) {
        finding.warns(Hypothesis.THREAD_LEAK);
      } else if (!grows || last.active() - first.active() < UnendedThreads.FEWEST) {
        finding.refutes(Hypothesis.THREAD_LEAK);
      } else {
        // The growth is pools filling up, or the starting code is unknown: growth alone is no leak.
        finding.weakens(Hypothesis.THREAD_LEAK);
      }
      return Optional.of(finding.build());
    }

    /**
     * What is leaked may start threads of several names, which all use CPU.
     *
     * @param group the one that grew most
     * @param all with the others
     */
    private Finding told(Incident incident, GrowingGroup group, List<GrowingGroup> all) {
      String counts = group.counts().stream().map(Numbers::count).collect(Collectors.joining(", "));
      FindingBuilder finding =
          Finding.of(
                  id(),
                  ("threads '%s' in %s dumps: %s; in the last one %s of them run and most of the"
                          + " rest are idle")
                      .formatted(
                          group.name(),
                          group.counts().size(),
                          counts,
                          Numbers.count(group.running())))
              .value("first", group.counts().get(0))
              .value("last", group.threads().size())
              .value("running", group.running())
              .from(group.first().source())
              .from(group.last().source())
              .warns(Hypothesis.THREAD_LEAK);
      if (!incident.timeline().sees(Signal.CPU_LOAD)) {
        long running = Math.max(1, group.last().count(ThreadActivity.RUNNING));
        long kept = all.stream().mapToLong(GrowingGroup::running).sum();
        double share = Math.min(1, kept / (double) running);
        Optional<DumpedCpu> used = DumpedCpu.between(List.of(group.first(), group.last()));
        long requests = group.last().runningRequests();
        // A group that grows from dump to dump is not in the last one by chance.
        boolean crowded =
            used.filter(cpu -> running >= CoreQueue.MOST_COMPETING * Math.ceil(cpu.atMostCores()))
                .filter(cpu -> requests > Math.ceil(cpu.atMostCores()))
                .filter(cpu -> incident.timeline().areRequestsMeasured())
                .isPresent();
        if (crowded) {
          double seconds = all.stream().mapToDouble(GrowingGroup::cpuSeconds).sum();
          share = Math.min(1, seconds / used.get().atMostSeconds());
          finding
              .value("cpuShare", share)
              .passes(
                  Effect.UNACCOUNTED,
                  Effect.CPU_QUEUE,
                  requests / (double) ThreadsAtWork.of(group.last()).size(),
                  "in the last dump %s threads run, %s of them for requests, while the JVM's threads use %s cores"
                      .formatted(
                          Numbers.count(running),
                          Numbers.count(requests),
                          Numbers.threeDigits(used.get().atMostCores())));
        }
        finding.explains(Hypothesis.THREAD_LEAK, Effect.CPU_QUEUE, share);
      }
      return finding.build();
    }

    /** For a step, the interval of the slope contains zero. */
    private static String interval(TrendLine line) {
      boolean flat = line.slopeLow() == 0 && line.slopeHigh() == 0;
      return flat || line.slopeDiffersFromZero()
          ? ""
          : ", no significant slope: %s to %s per minute"
              .formatted(perMinute(line.slopeLow()), perMinute(line.slopeHigh()));
    }

    private static String perMinute(double slope) {
      return Numbers.threeDigits(slope * Durations.SECONDS_PER_MINUTE);
    }

    private static String told(UnendedThreads leak) {
      return "; %s started %s threads '%s', of which %s ended"
          .formatted(
              leak.site(),
              Numbers.count(leak.started()),
              leak.group(),
              leak.ended() == 0 ? "none" : Numbers.count(leak.ended()));
    }

    private static Optional<TrendLine> trend(List<ThreadCount> counts) {
      double[] x = new double[counts.size()];
      double[] y = new double[counts.size()];
      for (int i = 0; i < counts.size(); i++) {
        x[i] = Durations.seconds(Duration.between(counts.get(0).at(), counts.get(i).at()));
        y[i] = counts.get(i).active();
      }
      return TrendLine.fit(x, y);
    }

    /**
     * Threads of one name whose number grows from dump to dump without need.
     *
     * @param name their name, without numbers
     * @param counts their number in each dump
     * @param threads those in the last dump
     */
    private record GrowingGroup(
        String name,
        List<Integer> counts,
        List<ThreadState> threads,
        ThreadSnapshot first,
        ThreadSnapshot last) {

      /** Those that grew all the time up to the incident's end, most growth first. */
      static List<GrowingGroup> of(Incident incident) {
        // Growth may begin long before it does harm. Dumps without a timestamp come last, in the
        // order of the files.
        Instant end = incident.window().to();
        List<ThreadSnapshot> dumps =
            incident.timeline().dumps().stream()
                .filter(dump -> !dump.threads().isEmpty())
                .filter(dump -> dump.at().filter(at -> !at.isBefore(end)).isEmpty())
                .toList();
        return dumps.size() < 2
            ? List.of()
            : groups(dumps).stream()
                .filter(GrowingGroup::isLeak)
                .sorted(
                    Comparator.comparingInt(GrowingGroup::growth)
                        .thenComparing(GrowingGroup::name)
                        .reversed())
                .toList();
      }

      private static List<GrowingGroup> groups(List<ThreadSnapshot> dumps) {
        List<Map<String, List<ThreadState>>> grouped =
            dumps.stream()
                .map(
                    dump ->
                        dump.threads().stream()
                            .filter(thread -> !thread.virtual())
                            .collect(Collectors.groupingBy(one -> ThreadNames.group(one.name()))))
                .toList();
        Map<String, List<ThreadState>> last = grouped.get(grouped.size() - 1);
        return last.keySet().stream()
            .map(
                name ->
                    new GrowingGroup(
                        name,
                        grouped.stream()
                            .map(map -> map.getOrDefault(name, List.of()).size())
                            .toList(),
                        last.get(name),
                        dumps.get(0),
                        dumps.get(dumps.size() - 1)))
            .toList();
      }

      private int growth() {
        return counts.get(counts.size() - 1) - counts.get(0);
      }

      /** CPU time of its threads from the first dump to the last. */
      double cpuSeconds() {
        return cpuSeconds(last) - cpuSeconds(first);
      }

      private double cpuSeconds(ThreadSnapshot dump) {
        return Durations.seconds(
            Duration.ofNanos(
                dump.threads().stream()
                    .filter(thread -> ThreadNames.group(thread.name()).equals(name))
                    .mapToLong(thread -> Math.max(0, thread.standing().cpuNanos()))
                    .sum()));
      }

      long running() {
        return threads.stream().filter(thread -> thread.is(ThreadActivity.RUNNING)).count();
      }

      private boolean isLeak() {
        // A group that appears for the first time was started, which is no growth.
        return counts.stream().filter(threads -> threads > 0).count() > 1
            && IntStream.range(1, counts.size()).allMatch(i -> counts.get(i) > counts.get(i - 1))
            && !isOnePool()
            && growth() >= UnendedThreads.FEWEST
            && !areMost(ThreadState::requestThread)
            && !areMost(ThreadsAtWork::isInCallOrQueue);
      }

      private boolean areMost(Predicate<ThreadState> which) {
        return threads.stream().filter(which).count() >= Policy.MAJORITY * threads.size();
      }

      /**
       * A pool or executor keeps as many threads as had work at once; it has a limit, even if that
       * is unknown. A pool that is created anew each time has a different number in its threads'
       * names.
       */
      private boolean isOnePool() {
        return threads.size() < UnendedThreads.MOST_OF_A_POOL
            && areMost(thread -> thread.standing().inPool())
            && threads.stream().map(thread -> ThreadNames.pool(thread.name())).distinct().count()
                == 1;
      }
    }
  }
}
