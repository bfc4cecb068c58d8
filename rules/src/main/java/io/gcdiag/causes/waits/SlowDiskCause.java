package io.gcdiag.causes.waits;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.causes.workers.ThreadsAtWork;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.requests.Meter;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.Occupancy;
import io.gcdiag.measures.threads.ShortFileCalls;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;

/** File reads, writes or fsyncs delay requests. */
public final class SlowDiskCause extends Cause {
  public SlowDiskCause() {
    super(
        Hypothesis.SLOW_DISK,
        "Slow disk or file I/O",
        "call fsync less often (several writes at once), write logs from a thread "
            + "of their own, or use another disk",
        List.of(new FileTimeRule()),
        Trait.PART_OF_NORMAL_WORK,
        Trait.OF_SOME_REQUESTS,
        Trait.SEEN_IN_WAITS);
    chartLine("for file I/O", "File I/O");
  }

  @Override
  public void place(PlaceParts found) {
    found.code(
        found
            .own()
            .most(Activity.FILE_IO)
            .or(() -> found.own().inDumps(t -> t.activity() == ThreadActivity.IN_FILE)));
    found
        .longest(UserWaits.of(found.timeline(), WaitKind.FILE))
        .filter(series -> series.site().isNamed())
        .ifPresent(series -> found.add(new Part(Role.FILE, series.site().name(), series.source())));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    if (suspect.about().stream()
        .anyMatch(finding -> finding.values().containsKey(AnsweredHere.FROM_DISK))) {
      // The library groups its writes itself.
      return List.of();
    }
    boolean output =
        suspect.at(Role.FILE).filter(f -> f.name().equals(WaitSite.STANDARD_OUTPUT)).isPresent();
    return suspect.code(
        output
            ? "what reads standard output (a log shipper, the container's runtime) is slower than the"
                + " service writes: write less, or log through an asynchronous appender that drops"
                + " events (Logback: AsyncAppender with neverBlock)"
            : "group the writes: one writer thread forces all queued records to disk at once, not each"
                + " request its own");
  }

  /**
   * Asks how much of the request time is spent reading, writing and syncing files, on request
   * threads and under locks that they wait for. Thread dumps show it if no event does: a call that
   * the page cache serves takes microseconds, so several in one dump are far slower.
   */
  // Samples show short calls, and dumps calls in progress; neither has an event.
  @Judges(
      value = Hypothesis.SLOW_DISK,
      needs = Signal.FILE_IO,
      standIns = {Signal.CPU_SAMPLES, Signal.THREAD_DUMPS})
  static final class FileTimeRule implements Rule {

    /**
     * In addition to events and dumps, the meters of the machine's disks, and calls behind writes.
     */
    @Override
    public List<Rule> sensors() {
      return List.of(this, new Disks(id()), new AnsweredHere.Forced(id()));
    }

    /** Files in this directory are devices. */
    private static final String DEVICES = "/dev/";

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      EffectTimes times = incident.effects();
      if (times.fromDumps().contains(Effect.FILE_WAIT)) {
        return dumped(DumpTimes.during(incident)).stream().toList();
      }
      double counted = times.during(Effect.FILE_WAIT);
      double events = Math.max(0, counted - ShortFileCalls.grown(incident, window));
      double sampled = ShortFileCalls.sampled(timeline, window);
      Optional<Double> baseline =
          incident.baseline().map(one -> ShortFileCalls.sampled(timeline, one));
      double before = baseline.orElse(0.0);
      double underLocks =
          times.during(Effect.LOCK_WAIT) > 0
              ? OwnersTime.of(incident).map(own -> own.share(WaitKind.FILE)).orElse(0.0)
              : 0;
      Optional<WaitSeries> busiest =
          UserWaits.of(timeline, WaitKind.FILE).stream()
              .filter(one -> one.within(window).count() > 0)
              .max(Comparator.comparingDouble(one -> one.within(window).waitedSeconds()));
      boolean quiet = Math.max(events, sampled) < Policy.LEAST_THREADS_FELT;
      Source source =
          busiest.map(WaitSeries::source).orElseGet(() -> timeline.recorded("jdk.FileRead"));
      FindingBuilder finding =
          Finding.of(id(), sentence(events, sampled, baseline, busiest, window))
              .figure(
                  "request threads in file I/O, mean",
                  sampled < events
                      ? times.before(Effect.FILE_WAIT)
                      : Numbers.of(baseline, value -> value),
                  Math.max(sampled, events))
              .value("threadsInFileEvents", events)
              .value("threadsInFilesSampled", sampled)
              .value("threadsInFilesSampledBefore", before)
              .value("shareOfLockOwnersTime", underLocks)
              .from(source);
      Occupancy.sum(
              incident,
              one -> operations(timeline, one),
              "file operations of request threads, by events",
              "threads in file I/O")
          .ifPresent(finding::sum);
      neighbours(incident, finding);
      Optional<Finding> others = ofOthers(incident);
      if (quiet && underLocks == 0 && others.isPresent()) {
        return List.of(others.get());
      }
      if (quiet && underLocks == 0) {
        // Events show only long calls; without samples, many short ones may go unseen.
        boolean sampledAtAll = !timeline.samples(SampledTime.class, window).isEmpty();
        return List.of(finding.contradicts(Hypothesis.SLOW_DISK, sampledAtAll).build());
      }
      busiest
          .map(one -> one.site().name())
          .filter(name -> name.startsWith(DEVICES))
          .ifPresent(
              device ->
                  finding.advises(
                      Hypothesis.SLOW_DISK, askLess(device, timeline.jvm().oldestRelease())));
      double unaccounted = times.excessSeconds(Effect.UNACCOUNTED);
      double hidden = Math.max(0, sampled - before - counted) * window.seconds();
      return List.of(
          finding
              .explains(Hypothesis.SLOW_DISK, Effect.FILE_WAIT, 1)
              .explains(
                  Hypothesis.SLOW_DISK,
                  Effect.UNACCOUNTED,
                  unaccounted > 0 ? Math.min(1, hidden / unaccounted) : 0)
              .build());
    }

    /**
     * Names the CPU of other processes if they became busy with the incident: they may use the same
     * disk, and no file of this JVM shows what they do there.
     */
    private static void neighbours(Incident incident, FindingBuilder finding) {
      Function<Window, Optional<Double>> cpu =
          window -> CpuUse.of(incident.timeline(), window).map(CpuUse::others);
      Optional<Double> before = incident.baseline().flatMap(cpu);
      double now = cpu.apply(incident.window()).orElse(0.0);
      if (before
          .filter(usual -> now >= Math.max(usual + Policy.NOTABLE, Policy.CLEARLY_MORE * usual))
          .isPresent()) {
        finding.figure(
            "CPU of other processes, which may use the same disk",
            OptionalDouble.of(before.get()),
            now,
            share -> new Ratio(share).toString());
      }
    }

    /**
     * Other threads in file I/O that requests may wait for: dumps or samples show them repeatedly
     * and no event does ({@code AsynchronousFileChannel} writes none, and its calls run on its own
     * threads), or requests are known to wait for other threads.
     */
    private Optional<Finding> ofOthers(MeasuredIncident incident) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      List<ThreadSnapshot> dumps = DumpTimes.during(incident);
      List<ThreadSnapshot> found = dumps.stream().filter(dump -> inFiles(dump) > 0).toList();
      boolean often = DumpTimes.areOften(found.size(), dumps);
      double dumped =
          often ? dumps.stream().mapToLong(FileTimeRule::inFiles).average().orElse(0) : 0;
      double sampled =
          timeline.samples(SampledTime.class, window).stream()
                  .filter(one -> one.waitsFor(WaitKind.FILE))
                  .mapToDouble(SampledTime::seconds)
                  .sum()
              / window.seconds();
      double threads = Math.max(dumped, sampled);
      double recorded = WaitSeries.threads(timeline.waits(WaitKind.FILE), window);
      boolean unseen = recorded < Policy.SUBSTANTIAL * threads;
      if (threads < Policy.LEAST_THREADS_FELT || !unseen && !waitForOthers(incident.effects())) {
        return Optional.empty();
      }
      String which = unseen ? " that no event shows" : ", and requests may wait for these";
      FindingBuilder finding =
          Finding.of(
                  id(),
                  often
                      ? "in %s of %s thread dumps threads are in file I/O%s"
                          .formatted(found.size(), dumps.size(), which)
                      : "%s threads other than request threads are in file I/O by samples%s"
                          .formatted(Numbers.threeDigits(sampled), which))
              .value("threadsInFilesInDumps", dumped)
              .value("threadsInFilesSampled", sampled)
              .value("threadsInFileEvents", recorded)
              .from(
                  often
                      ? found.stream().map(ThreadSnapshot::source).toList()
                      : List.of(timeline.recorded("jdk.NativeMethodSample")))
              .leavesOpen(Hypothesis.SLOW_DISK);
      return Optional.of(
          (often && unseen ? finding.supports(Hypothesis.SLOW_DISK) : finding).build());
    }

    /** Whether requests wait for other threads, or for something unknown. */
    private static boolean waitForOthers(EffectTimes times) {
      double lost =
          Stream.of(Effect.LOG_WAIT, Effect.OTHER_WAIT, Effect.UNACCOUNTED)
              .mapToDouble(times::excessSeconds)
              .sum();
      return lost > 0 && lost >= Policy.NOTABLE * times.totalExcessSeconds();
    }

    private static long inFiles(ThreadSnapshot dump) {
      return dump.threads().stream().filter(thread -> thread.is(ThreadActivity.IN_FILE)).count();
    }

    private Optional<Finding> dumped(List<ThreadSnapshot> dumps) {
      return ThreadsAtWork.mostly(dumps, ThreadActivity.IN_FILE).isEmpty()
          ? Optional.empty()
          : Optional.of(
              ThreadsAtWork.finding(id(), dumps, ThreadActivity.IN_FILE, "are in file I/O", "")
                  .explains(Hypothesis.SLOW_DISK, Effect.FILE_WAIT, 1)
                  .build());
    }

    private static Optional<Occupancy> operations(Timeline timeline, Window window) {
      WaitSeries.Totals all = WaitSeries.totals(UserWaits.of(timeline, WaitKind.FILE), window);
      return Occupancy.of(all.count(), all.waitedSeconds(), window);
    }

    /** {@code SecureRandom} reads the kernel's random numbers under a lock of the whole process. */
    private static String askLess(String device, OptionalInt jdk) {
      String drbg =
          "SecureRandom.getInstance(\"DRBG\"), one per thread, instead of one that reads it every"
              + " time";
      // With this device name SecureRandom computes its numbers and reads only the seed.
      String seeded = "-Djava.security.egd=file:/dev/./urandom";
      String instead =
          jdk.isEmpty()
              ? "JDK 9 and later: " + drbg + "; JDK 8: " + seeded
              : jdk.getAsInt() <= JvmFacts.JDK_8 ? seeded : drbg;
      return device
          + " is a kernel device, not a disk: read it less often"
          + (device.endsWith("random") ? " (" + instead + ")" : "");
    }

    private static String sentence(
        double events,
        double sampled,
        Optional<Double> baseline,
        Optional<WaitSeries> busiest,
        Window window) {
      String most =
          busiest
              .map(
                  one ->
                      ", most for %s at %s (longest %s)"
                          .formatted(
                              one.site().name(),
                              one.site().stack(),
                              Durations.format(one.within(window).longest())))
              .orElse("");
      String usual = baseline.map(Numbers::threeDigits).orElse("0");
      if (Stream.of(Numbers.threeDigits(events), Numbers.threeDigits(sampled), usual)
          .allMatch("0"::equals)) {
        return "request threads spent no measurable time in file I/O";
      }
      return ("request threads in file I/O: %s on average by events%s, %s by samples of I/O of any"
              + " length%s")
          .formatted(
              Numbers.threeDigits(events),
              most,
              Numbers.threeDigits(sampled),
              baseline.isPresent() ? ", against " + usual + " in the baseline" : "");
    }

    /**
     * Asks how busy the disks are. A busy disk does not prove that requests wait for it, so it is a
     * lead only if nothing shows their waits. An idle disk excludes nothing: the files may be on a
     * network.
     */
    @Judges(Hypothesis.SLOW_DISK)
    private record Disks(String id) implements Rule {

      /**
       * A seek of a rotating disk takes this long, a request to flash memory a tenth of it; a
       * longer request waits in a queue.
       */
      private static final Duration SEEK = Duration.ofMillis(10);

      @Override
      public List<Finding> examine(MeasuredIncident incident) {
        return incident.timeline().metrics(MetricMeaning.DISK_BUSY).stream()
            .filter(disk -> !Meter.inside(disk, incident.window()).isEmpty())
            .max(Comparator.comparingDouble(disk -> mean(disk, incident.window())))
            .map(disk -> judge(incident, disk))
            .stream()
            .toList();
      }

      private static double mean(MetricSeries series, Window window) {
        return Meter.inside(series, window).stream().mapToDouble(Point::value).average().orElse(0);
      }

      private static double await(Incident incident, MetricSeries disk) {
        return incident.timeline().metrics(MetricMeaning.DISK_AWAIT).stream()
            .filter(one -> one.labels().equals(disk.labels()))
            .mapToDouble(one -> mean(one, incident.window()))
            .max()
            .orElse(0);
      }

      private Finding judge(MeasuredIncident incident, MetricSeries disk) {
        double busy = mean(disk, incident.window());
        double await = await(incident, disk);
        FindingBuilder finding =
            Finding.of(
                    id,
                    "disk%s is busy %s of the time; a request to it takes %s"
                        .formatted(
                            Optional.ofNullable(disk.labels().get("device"))
                                .map(name -> " " + name)
                                .orElse(""),
                            new Ratio(Math.min(1, busy)),
                            Durations.format(await)))
                .figure(
                    "share of time the disk is busy",
                    incident.baseline().stream()
                        .filter(one -> !Meter.inside(disk, one).isEmpty())
                        .mapToDouble(one -> mean(disk, one))
                        .findFirst(),
                    busy,
                    share -> new Ratio(Math.min(1, share)).toString())
                .value("diskBusy", busy)
                .value("diskAwaitSeconds", await)
                .from(disk.source());
        return busy >= Policy.FULL && await >= Durations.seconds(SEEK)
            ? finding.supports(Hypothesis.SLOW_DISK).build()
            : finding.build();
      }
    }
  }
}
