package io.gcdiag.advice;

import io.gcdiag.accounts.heap.GrowingClassesRule;
import io.gcdiag.accounts.pool.HoldersTime;
import io.gcdiag.accounts.pool.PoolDemand;
import io.gcdiag.accounts.workers.ExhaustedGroup;
import io.gcdiag.advice.OwnPlaces.Seen;
import io.gcdiag.advice.Place.Part;
import io.gcdiag.advice.Place.Role;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.heap.OldObjects;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.machine.CpuQuota;
import io.gcdiag.evidence.machine.MachineMemory;
import io.gcdiag.evidence.machine.ProcessList;
import io.gcdiag.evidence.profile.OwnCode.Activity;
import io.gcdiag.evidence.profile.OwnCode.Spot;
import io.gcdiag.evidence.requests.MetricMeaning;
import io.gcdiag.evidence.source.InputReport;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.threads.LockOwner;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.AsyncClient;
import io.gcdiag.evidence.waits.PoolHold;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.evidence.waits.WaitSite;
import io.gcdiag.measures.cores.CpuUse;
import io.gcdiag.measures.pool.PoolMeters;
import io.gcdiag.measures.waits.UserWaits;
import io.gcdiag.measures.workers.OccupiedWorkers;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says where a suspected cause is, by what the files show of the incident. */
final class PlaceFinder {

  /** Of other programs a few names are enough to go and look. */
  private static final int MOST_PROGRAMS = 3;

  private final Incident incident;
  private final Timeline timeline;
  private final Window window;
  private final OwnPlaces own;
  private final List<Part> parts = new ArrayList<>();

  private PlaceFinder(Incident incident) {
    this.incident = incident;
    this.timeline = incident.timeline();
    this.window = incident.windows().incident();
    this.own = new OwnPlaces(incident);
  }

  /** The place of a suspect; empty if the files do not show any. */
  static Optional<Place> of(Incident incident, Hypothesis hypothesis) {
    PlaceFinder finder = new PlaceFinder(incident);
    finder.find(hypothesis);
    return finder.parts.isEmpty() ? Optional.empty() : Optional.of(new Place(finder.parts));
  }

  private void find(Hypothesis hypothesis) {
    switch (hypothesis) {
      case MEMORY_PRESSURE -> heap(false);
      case HEAP_RESIZING -> heap(true);
      case MEMORY_LEAK -> leak();
      case ALLOCATION_CHURN -> code(allocating(Activity.ALLOCATING));
      case HUMONGOUS_ALLOCATION -> humongous();
      case CONNECTION_POOL_UNDERSIZED -> pool(borrowing(), PoolDemand.size(timeline, window));
      // Of connections that nobody uses, those in use are no sign of how many there are.
      case CONNECTION_LEAK ->
          pool(
              holding().or(this::borrowing),
              PoolDemand.size(timeline, window).filter(known -> known.bound().isEmpty()));
      case SLOW_DOWNSTREAM -> call();
      case CPU_SATURATION -> code(own.mostOfAll(Activity.RUNNING, any()).or(this::runningInDumps));
      case CPU_THROTTLING -> quota();
      case SWAPPING -> memory();
      case GC_LOCKER -> code(critical());
      case EXPLICIT_GC ->
          code(
              own.mostOfAll(Activity.COLLECTING, any())
                  .or(() -> own.mostOfAll(Activity.REQUESTING_STOPS, any())));
      case METASPACE_PRESSURE -> code(own.mostOfAll(Activity.DEFINING_CLASSES, any()));
      case LOCK_CONTENTION -> lock();
      case LOG_QUEUE_FULL ->
          code(
              own.inDumps(thread -> thread.activity() == ThreadActivity.WAITING_TO_LOG)
                  .or(() -> own.most(Activity.WAITING, Spot::onRequestThread)));
      case DEADLOCK -> deadlock();
      case VIRTUAL_THREAD_PINNING -> pinned();
      case THREAD_POOL_EXHAUSTED -> threads();
      case SAFEPOINT_STALL ->
          code(
              own.mostOfAll(Activity.DELAYING_STOPS, any())
                  .or(() -> own.mostOfAll(Activity.RUNNING, spot -> !spot.onRequestThread()))
                  .or(() -> own.mostOfAll(Activity.RUNNING, any())));
      case SLOW_DISK -> file();
      case THREAD_LEAK -> code(own.mostOfAll(Activity.STARTING_THREADS, any()));
      case JIT_PRESSURE -> codeCache();
      case EXCEPTION_STORM ->
          code(
              own.mostOfAll(Activity.THROWING, any())
                  .or(() -> own.mostOfAll(Activity.SAMPLED_THROWING, any())));
      case REQUESTS_SLEEP -> code(own.most(Activity.SLEEPING, Spot::onRequestThread));
      case HOST_CPU_CONTENTION -> programs();
      case CONTAINER_MEMORY -> memory();
      case DIRECT_MEMORY, FINALIZER_BACKLOG -> {}
      case NATIVE_OR_UNKNOWN -> code(own.inDumps(ThreadState::requestThread));
    }
  }

  private static Predicate<Spot> any() {
    return spot -> true;
  }

  private void code(Optional<Seen> seen) {
    seen.ifPresent(
        at -> {
          parts.add(new Part(Role.CODE, at.place().toString(), at.source()));
          at.caller()
              .ifPresent(
                  caller -> parts.add(new Part(Role.CALLER, caller.toString(), at.source())));
        });
  }

  private Optional<Seen> runningInDumps() {
    return own.inDumps(
        thread -> thread.requestThread() && thread.activity() == ThreadActivity.RUNNING);
  }

  /** Who allocates by samples, or else what requests are at in dumps. */
  private Optional<Seen> allocating(Activity activity) {
    return own.mostOfAll(activity, any())
        .or(this::runningInDumps)
        .or(() -> own.inDumps(ThreadState::requestThread));
  }

  private void humongous() {
    Optional<Seen> large =
        own.mostOfAll(Activity.ALLOCATING_LARGE, any()).or(() -> own.most(Activity.ALLOCATING));
    code(large);
    timeline
        .jvm()
        .flag("G1HeapRegionSize")
        .ifPresent(
            flag -> {
              String size = size(flag.value());
              parts.add(new Part(Role.SETTING, "-XX:G1HeapRegionSize=" + size, flag.source()));
            });
  }

  /** As on a command line. */
  static String size(String bytes) {
    return bytes.matches("\\d{1,18}") ? size(Bytes.of(Long.parseLong(bytes))) : bytes;
  }

  /** As on a command line: {@code 512m}, {@code 2g}. */
  static String size(Bytes bytes) {
    long kibi = bytes.value() >> 10;
    long mebi = kibi >> 10;
    if (mebi << 20 != bytes.value()) {
      return kibi << 10 == bytes.value() ? kibi + "k" : Long.toString(bytes.value());
    }
    return mebi % 1024 == 0 && mebi > 0 ? (mebi >> 10) + "g" : mebi + "m";
  }

  private void heap(boolean initial) {
    Optional<Bytes> first = timeline.jvm().initialHeap();
    Optional<Bytes> most = timeline.jvm().maxHeap();
    Optional<Part> xms = first.map(size -> setting("-Xms" + size(size), "InitialHeapSize"));
    Optional<Part> xmx = most.map(size -> setting("-Xmx" + size(size), "MaxHeapSize"));
    (initial ? xms : xmx).ifPresent(parts::add);
    (initial ? xmx : xms).ifPresent(parts::add);
  }

  private Part setting(String text, String flag) {
    Source source =
        timeline
            .jvm()
            .flag(flag)
            .map(Flag::source)
            .orElseGet(
                () ->
                    new Source(
                        timeline.inputs().stream()
                            .map(InputReport::file)
                            .findFirst()
                            .orElse("inputs"),
                        flag));
    return new Part(Role.SETTING, text, source);
  }

  /** What grows, and where it is allocated. */
  private void leak() {
    Optional<OldObjects> held =
        timeline.samples(OldObjects.class).stream()
            .filter(objects -> !isOfJdk(objects.className()))
            .max(Comparator.comparingLong(OldObjects::count).thenComparing(OldObjects::className));
    Optional<String> grown = GrowingClassesRule.grownMost(incident);
    Optional<String> name =
        grown.or(() -> held.map(OldObjects::className)).filter(type -> !isOfJdk(type));
    Optional<Seen> allocated =
        name.flatMap(type -> own.most(Activity.ALLOCATING, spot -> spot.subject().equals(type)))
            .or(() -> own.most(Activity.ALLOCATING));
    code(allocated);
    Optional<Source> histogram =
        timeline.histograms().isEmpty()
            ? Optional.empty()
            : Optional.of(timeline.histograms().get(timeline.histograms().size() - 1).source());
    grown
        .flatMap(type -> histogram.map(source -> new Part(Role.CLASS, type, source)))
        .or(
            () ->
                held.map(one -> new Part(Role.CLASS, one.className(), holders(one), one.source())))
        .ifPresent(parts::add);
  }

  /** Arrays and texts of the JDK are what everything is made of. */
  private static boolean isOfJdk(String type) {
    return type.startsWith("java.") || type.startsWith("jdk.") || type.indexOf('.') < 0;
  }

  private static String holders(OldObjects objects) {
    return objects.holders().isEmpty() ? "" : "held by " + objects.holders();
  }

  private Optional<Seen> borrowing() {
    return own.most(Activity.BORROWING)
        .or(() -> own.inDumps(thread -> thread.activity() == ThreadActivity.WAITING_FOR_POOL))
        .or(() -> own.most(Activity.CALLING))
        .or(() -> own.inDumps(thread -> thread.activity() == ThreadActivity.IN_DOWNSTREAM_CALL));
  }

  /** Whether connections are held through work that needs none, and where is known. */
  static boolean isHeldElsewhere(Incident incident) {
    return new PlaceFinder(incident).holding().isPresent();
  }

  /** Where those who hold connections do what needs none. */
  private Optional<Seen> holding() {
    Optional<HoldersTime> holders = HoldersTime.of(incident).filter(HoldersTime::mostlyElsewhere);
    Optional<Seen> called =
        holders
            .flatMap(time -> time.name(PoolHold.Kind.OTHER_CALL))
            .flatMap(
                remote ->
                    own.most(
                        Activity.CALLING,
                        spot -> clients(remote).anyMatch(spot.subject()::equals)));
    return called
        .or(
            () ->
                holders.isPresent()
                    ? own.most(Activity.SLEEPING, Spot::onRequestThread)
                    : Optional.empty())
        .or(this::calledWhileOthersWait);
  }

  private Stream<String> clients(String remote) {
    return timeline.waits(WaitKind.DOWNSTREAM).stream()
        .map(WaitSeries::site)
        .filter(site -> site.name().equals(remote) || site.client().equals(remote))
        .map(WaitSite::client);
  }

  /** By dumps: calls of services while connections of a database are waited for. */
  private Optional<Seen> calledWhileOthersWait() {
    boolean ofDatabase =
        timeline.dumps().stream()
            .flatMap(dump -> dump.threads().stream())
            .anyMatch(
                thread ->
                    thread.activity() == ThreadActivity.WAITING_FOR_POOL && !thread.ofService());
    return ofDatabase
        ? own.inDumps(
            thread -> thread.activity() == ThreadActivity.IN_DOWNSTREAM_CALL && thread.ofService())
        : Optional.empty();
  }

  private void pool(Optional<Seen> seen, Optional<PoolDemand.Known<Integer>> size) {
    code(seen);
    String detail =
        size.map(
                known ->
                    (known.bound().isEmpty() ? "" : known.bound() + " ")
                        + known.value()
                        + (known.value() == 1 ? " connection" : " connections"))
            .orElse("");
    Optional<PoolMeters> meters = PoolMeters.of(timeline);
    String name =
        meters
            .map(PoolMeters::name)
            .filter(own -> !own.equals("pool"))
            .map(n -> " \"" + n + "\"")
            .orElse("");
    library(timeline, window)
        .ifPresent(
            library -> {
              Source source =
                  size.map(PoolDemand.Known::source)
                      .or(() -> meters.flatMap(one -> one.source(MetricMeaning.POOL_PENDING)))
                      .orElseGet(library::source);
              parts.add(new Part(Role.POOL, library.name() + name, detail, source));
            });
  }

  /**
   * A pool's library.
   *
   * @param name as reports name it
   * @param source where its frames were read
   */
  record Library(String name, Source source) {}

  /** The library of the pool that is waited for, by stacks of a recording or of dumps. */
  static Optional<Library> library(Timeline timeline, Window window) {
    return UserWaits.of(timeline, WaitKind.POOL).stream()
        .max(Comparator.comparingDouble((WaitSeries s) -> s.within(window).waitedSeconds()))
        .map(series -> new Library(series.site().name(), series.source()))
        .or(
            () ->
                timeline.dumps().stream()
                    .flatMap(
                        dump ->
                            dump.threads().stream()
                                .filter(t -> t.activity() == ThreadActivity.WAITING_FOR_POOL)
                                .map(thread -> new Library(thread.subject(), dump.source())))
                    .findFirst())
        .or(
            () ->
                timeline.samples(AsyncClient.class).stream()
                    .filter(client -> client.name().endsWith("pool"))
                    .map(client -> new Library(client.name(), client.source()))
                    .findFirst());
  }

  private void call() {
    Optional<WaitSeries> busiest =
        UserWaits.of(timeline, WaitKind.DOWNSTREAM).stream()
            .max(
                Comparator.comparingDouble((WaitSeries s) -> s.within(window).waitedSeconds())
                    .thenComparing(WaitSeries::site));
    Predicate<Spot> ofIt =
        spot ->
            busiest
                .map(series -> series.site().client())
                .filter(client -> !client.isEmpty())
                .map(spot.subject()::equals)
                .orElse(true);
    code(
        own.most(Activity.CALLING, ofIt)
            .or(() -> own.most(Activity.SAMPLED_CALLING))
            .or(
                () ->
                    own.inDumps(thread -> thread.activity() == ThreadActivity.IN_DOWNSTREAM_CALL)));
    busiest
        .filter(series -> !series.site().label().isEmpty())
        .ifPresent(
            series ->
                parts.add(
                    new Part(
                        Role.HOST,
                        series.site().name().isEmpty()
                            ? series.site().client()
                            : series.site().name(),
                        series.site().client().equals(series.site().name())
                            ? ""
                            : series.site().client(),
                        series.source())));
  }

  private void quota() {
    timeline.samples(CpuQuota.class).stream()
        .filter(one -> one.quota().isPresent())
        .reduce((first, last) -> last)
        .ifPresent(
            one ->
                parts.add(
                    new Part(
                        Role.MACHINE, "CPU quota of the container", cores(one), one.source())));
  }

  static double coresOf(CpuQuota quota) {
    return Durations.seconds(quota.quota().orElse(Duration.ZERO))
        / Durations.seconds(quota.period());
  }

  static String cores(CpuQuota quota) {
    double cores = coresOf(quota);
    return Numbers.threeDigits(cores) + (cores == 1 ? " core" : " cores");
  }

  private void memory() {
    timeline.samples(MachineMemory.class).stream()
        .max(Comparator.comparingLong(one -> one.used().value()))
        .ifPresent(
            one ->
                parts.add(
                    new Part(
                        Role.MACHINE,
                        "memory of the machine or container",
                        one.used() + " of " + one.total() + " in use",
                        one.source())));
    timeline
        .jvm()
        .maxHeap()
        .map(most -> setting("-Xmx" + size(most), "MaxHeapSize"))
        .ifPresent(parts::add);
  }

  /** JNI critical sections are native code that works on a Java array: compression for the most. */
  private Optional<Seen> critical() {
    return own.mostOfAll(Activity.NATIVE, spot -> spot.subject().startsWith("java.util.zip."))
        .or(() -> own.mostOfAll(Activity.NATIVE, any()));
  }

  private void lock() {
    Optional<WaitSeries> lock =
        UserWaits.of(timeline, WaitKind.LOCK).stream()
            .max(
                Comparator.comparingDouble((WaitSeries s) -> s.within(window).waitedSeconds())
                    .thenComparing(WaitSeries::site));
    Optional<Seen> wanted =
        own.most(
                Activity.LOCKING,
                spot -> lock.map(one -> one.site().name().equals(spot.subject())).orElse(true))
            .or(() -> own.inDumps(t -> t.activity() == ThreadActivity.WAITING_FOR_LOCK));
    code(wanted);
    lock.filter(series -> series.site().isNamed())
        .ifPresent(series -> parts.add(new Part(Role.LOCK, series.site().name(), series.source())));
    owner()
        .filter(
            owner ->
                wanted.filter(at -> at.place().method().equals(owner.place().method())).isEmpty())
        .ifPresent(
            owner ->
                parts.add(
                    new Part(
                        Role.OWNER,
                        owner.place().toString(),
                        owner.caller().map(Object::toString).orElse(""),
                        owner.source())));
  }

  private Optional<Seen> owner() {
    return timeline.dumps().stream()
        .flatMap(
            dump ->
                dump.lockOwners().stream()
                    .max(Comparator.comparingInt(LockOwner::waiting))
                    .map(owner -> own.of(dump, List.of(owner.owner())).stream())
                    .orElse(Stream.empty()))
        .findFirst();
  }

  private void deadlock() {
    Optional<ThreadSnapshot> dump =
        timeline.dumps().stream().filter(one -> one.deadlocks().found()).findFirst();
    dump.ifPresent(
        one ->
            own.of(one, one.deadlocks().threads())
                .forEach(at -> parts.add(new Part(Role.CODE, at.place().toString(), at.source()))));
  }

  private void pinned() {
    Optional<WaitSeries> most =
        timeline.waits(WaitKind.PINNED).stream()
            .max(
                Comparator.comparingDouble((WaitSeries s) -> s.within(window).waitedSeconds())
                    .thenComparing(WaitSeries::site));
    own.most(Activity.PINNED)
        .ifPresent(
            at ->
                parts.add(
                    new Part(
                        Role.CODE,
                        at.place().toString(),
                        most.map(series -> series.site().name()).orElse(""),
                        at.source())));
  }

  /**
   * A group of threads of which none is free.
   *
   * @param name their name without numbers
   * @param count how many they are
   * @param source where it was read
   */
  record Group(String name, int count, Source source) {}

  /** The group that requests queue for; an executor before the request threads that wait for it. */
  static Optional<Group> group(Incident incident) {
    List<ThreadSnapshot> dumps = ExhaustedGroup.dumps(incident);
    Optional<OccupiedWorkers> occupied =
        OccupiedWorkers.of(incident).stream()
            .min(
                Comparator.comparing(OccupiedWorkers::serving)
                    .thenComparing(OccupiedWorkers::group));
    return ExhaustedGroup.of(dumps, false)
        .flatMap(name -> group(dumps, name))
        .or(
            () ->
                occupied.map(
                    group ->
                        new Group(
                            group.group(),
                            group.workers(),
                            incident.timeline().recorded("jdk.ThreadPark"))))
        .or(() -> ExhaustedGroup.of(dumps, true).flatMap(name -> group(dumps, name)));
  }

  private static Optional<Group> group(List<ThreadSnapshot> dumps, String name) {
    return dumps.stream()
        .map(dump -> new Group(name, count(dump, name), dump.source()))
        .max(Comparator.comparingInt(Group::count));
  }

  private static int count(ThreadSnapshot dump, String name) {
    return (int) dump.threads().stream().filter(thread -> isOf(thread, name)).count();
  }

  private static boolean isOf(ThreadState thread, String group) {
    return ThreadNames.numbered(thread.name()).equals(group);
  }

  private void threads() {
    Optional<Group> group = group(incident);
    code(
        group
            .flatMap(one -> own.inDumps(thread -> isOf(thread, one.name())))
            .or(() -> own.most(Activity.CALLING))
            .or(() -> own.most(Activity.SAMPLED_CALLING))
            .or(() -> own.most(Activity.RUNNING)));
    group.ifPresent(
        one ->
            parts.add(
                new Part(
                    Role.THREADS,
                    one.name(),
                    one.count() + (one.count() == 1 ? " thread" : " threads"),
                    one.source())));
  }

  private void file() {
    code(
        own.most(Activity.FILE_IO)
            .or(() -> own.inDumps(t -> t.activity() == ThreadActivity.IN_FILE)));
    UserWaits.of(timeline, WaitKind.FILE).stream()
        .max(
            Comparator.comparingDouble((WaitSeries s) -> s.within(window).waitedSeconds())
                .thenComparing(WaitSeries::site))
        .filter(series -> series.site().isNamed())
        .ifPresent(series -> parts.add(new Part(Role.FILE, series.site().name(), series.source())));
  }

  private void codeCache() {
    timeline
        .jvm()
        .flag("ReservedCodeCacheSize")
        .ifPresent(
            flag ->
                parts.add(
                    new Part(
                        Role.SETTING,
                        "-XX:ReservedCodeCacheSize=" + size(flag.value()),
                        flag.source())));
  }

  private void programs() {
    CpuUse.of(timeline, window)
        .ifPresent(
            use ->
                parts.add(
                    new Part(
                        Role.MACHINE,
                        "other programs on the machine",
                        new Ratio(use.others()) + " of its CPUs",
                        timeline.recorded("jdk.CPULoad"))));
    timeline.samples(ProcessList.class).stream()
        .reduce((first, last) -> last)
        .filter(list -> !list.programs().isEmpty())
        .ifPresent(
            list ->
                parts.add(
                    new Part(
                        Role.PROGRAM,
                        list.programs().stream()
                            .limit(MOST_PROGRAMS)
                            .map(ProcessList.Program::name)
                            .collect(Collectors.joining(" or ")),
                        "started last beside the service",
                        list.source())));
  }
}
