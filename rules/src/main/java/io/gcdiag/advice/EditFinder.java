package io.gcdiag.advice;

import io.gcdiag.accounts.heap.OutsideTlabRule;
import io.gcdiag.accounts.locks.OwnersTime;
import io.gcdiag.advice.Place.Part;
import io.gcdiag.advice.Place.Role;
import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.heap.AllocationSite;
import io.gcdiag.evidence.heap.MetaspaceUse;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.machine.CpuQuota;
import io.gcdiag.evidence.machine.MachineMemory;
import io.gcdiag.evidence.machine.SwapSpace;
import io.gcdiag.evidence.pauses.ExplicitCollection;
import io.gcdiag.evidence.profile.OwnCode.Activity;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.policy.Policy;
import io.gcdiag.prediction.Predictor;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** The exact edit that deals with a suspect, from what was measured. */
final class EditFinder {

  private static final long MEBI = 1L << 20;

  /** HotSpot takes regions of 1 to 32 MiB, powers of two (heapRegionBounds.hpp). */
  private static final long LARGEST_REGION = 32 * MEBI;

  /** What tiered compilation reserves by itself (HotSpot's compilationPolicy). */
  private static final Bytes DEFAULT_CODE_CACHE = Bytes.ofMebi(240);

  /**
   * The JDK from which a blocked virtual thread leaves its carrier inside synchronized (JEP 491).
   */
  private static final String WITHOUT_PINNING = "JDK 24";

  private final Incident incident;
  private final Timeline timeline;
  private final Hypothesis hypothesis;
  private final List<Finding> about;
  private final Optional<Place> place;
  private final String why;

  private EditFinder(
      Incident incident,
      Hypothesis hypothesis,
      List<Finding> about,
      Optional<Place> place,
      String why) {
    this.incident = incident;
    this.timeline = incident.timeline();
    this.hypothesis = hypothesis;
    this.about = about;
    this.place = place;
    this.why = why;
  }

  /**
   * The edits that deal with a suspect, those to be made together first; empty if nothing exact can
   * be said.
   *
   * @param about what was found about it
   * @param why what else is advised
   */
  static List<Edit> of(
      Incident incident,
      Hypothesis hypothesis,
      List<Finding> about,
      Optional<Place> place,
      String why) {
    return new EditFinder(incident, hypothesis, about, place, why).edits();
  }

  private List<Edit> edits() {
    return switch (hypothesis) {
      case MEMORY_PRESSURE -> largerHeap();
      case HEAP_RESIZING -> pinnedHeap();
      case CONNECTION_POOL_UNDERSIZED -> largerPool();
      case THREAD_POOL_EXHAUSTED -> moreThreads();
      case HUMONGOUS_ALLOCATION -> largerRegions();
      case EXPLICIT_GC -> noExplicitCollection();
      case JIT_PRESSURE -> largerCodeCache();
      case SAFEPOINT_STALL -> polls();
      case CPU_THROTTLING -> largerQuota();
      case SWAPPING -> moreMemory();
      case HOST_CPU_CONTENTION ->
          at(Role.MACHINE)
              .map(
                  part ->
                      infrastructure(
                          part.name(),
                          "stop the one that uses the CPU (pidstat 1 shows it), or move it or the"
                              + " service to another machine"))
              .orElse(List.of());
      case SLOW_DOWNSTREAM -> downstream();
      case CONNECTION_LEAK -> returned();
      case LOCK_CONTENTION -> lock();
      default -> inCode();
    };
  }

  private Optional<Part> at(Role role) {
    return place.flatMap(one -> one.part(role));
  }

  private List<Edit> infrastructure(String name, String to) {
    return List.of(Edit.infrastructure(name, Optional.empty(), to, why));
  }

  private List<Edit> code(String to) {
    return at(Role.CODE).map(part -> List.of(Edit.code(part.name(), to, why))).orElse(List.of());
  }

  private List<Edit> inCode() {
    return switch (hypothesis) {
      case ALLOCATION_CHURN ->
          code("allocate less per request: keep and reuse the result (a cache), or stream it");
      case MEMORY_LEAK ->
          code(
              "remove"
                  + at(Role.CLASS)
                      .map(part -> " the objects of " + part.name())
                      .orElse(" the objects")
                  + " from what holds them when they are no longer needed, or limit their number and age");
      case CPU_SATURATION -> code(less());
      case GC_LOCKER ->
          code("pass the native code smaller parts, 16 KB at a time, not one large array");
      case METASPACE_PRESSURE -> classes();
      case DEADLOCK -> code("take the two locks in one order everywhere, by a number for example");
      case VIRTUAL_THREAD_PINNING ->
          code(
              "replace the synchronized block around the blocking call by a ReentrantLock, or run on "
                  + WITHOUT_PINNING
                  + " or later");
      case SLOW_DISK ->
          code(
              "write and force several records together, on a thread of their own, and not each one"
                  + " in its request");
      case THREAD_LEAK ->
          code("end what it starts: cancel the timer or shut the executor down, or share one");
      case EXCEPTION_STORM ->
          code("test the value before it is parsed or called with, so that nothing is thrown");
      case REQUESTS_SLEEP -> code(sleep());
      default -> List.of();
    };
  }

  /** Without the code that loads them, room for those that there are. */
  private List<Edit> classes() {
    List<Edit> once = code("generate and load a class once and keep it, not once a request");
    return !once.isEmpty()
        ? once
        : timeline.samples(MetaspaceUse.class).stream()
            .max(Comparator.comparing(MetaspaceUse::committed))
            .map(
                most ->
                    List.of(
                        Edit.flag(
                            isAtLimit(most) ? "-XX:MaxMetaspaceSize" : "-XX:MetaspaceSize",
                            Optional.of(PlaceFinder.size(most.threshold())),
                            PlaceFinder.size(Bytes.ofMebi(1 + 2 * most.committed().value() / MEBI)),
                            why)))
            .orElse(List.of());
  }

  /** The threshold grows by itself, up to the limit: where that forces GCs, it is the limit. */
  private boolean isAtLimit(MetaspaceUse most) {
    return timeline.jvm().number("MaxMetaspaceSize").orElse(Double.MAX_VALUE)
        <= most.threshold().value();
  }

  private String sleep() {
    String limiter =
        about.stream()
            .map(finding -> finding.statement())
            .filter(text -> text.contains("RateLimiter"))
            .findFirst()
            .map(text -> "raise the limit of the rate limiter, or reject at once what exceeds it")
            .orElse("");
    return limiter.isEmpty()
        ? "wait for an event in place of a fixed time, or do not retry what fails each time"
        : limiter;
  }

  private String less() {
    String callee =
        place
            .flatMap(any -> new OwnPlaces(incident).mostOfAll(Activity.RUNNING, spot -> true))
            .map(OwnPlaces.Seen::subject)
            .orElse("");
    if (callee.startsWith("java.util.regex.")) {
      return "simplify the regular expression (" + callee + "): no place has more CPU samples";
    }
    return callee.isEmpty()
        ? "do less here: no place has more CPU samples"
        : "call " + callee + " less often, or at a lower cost: no place has more CPU samples";
  }

  private List<Edit> largerHeap() {
    return new Predictor(incident, about).heapWanted().map(this::heap).orElse(List.of());
  }

  private List<Edit> pinnedHeap() {
    return timeline.jvm().maxHeap().map(this::heap).orElse(List.of());
  }

  private List<Edit> heap(Bytes to) {
    JvmFacts jvm = timeline.jvm();
    String size = PlaceFinder.size(to);
    Edit first = Edit.flag("-Xms", jvm.initialHeap().map(PlaceFinder::size), size, why);
    Edit most = Edit.flag("-Xmx", jvm.maxHeap().map(PlaceFinder::size), size, why);
    boolean same = jvm.maxHeap().filter(to::equals).isPresent();
    return same ? List.of(first) : List.of(first, most);
  }

  private List<Edit> largerPool() {
    Optional<Predictor.Wanted> wanted = new Predictor(incident, about).wanted(hypothesis);
    Optional<PlaceFinder.Library> library =
        PlaceFinder.library(timeline, incident.windows().incident());
    if (library.isEmpty()) {
      return List.of();
    }
    if (wanted.isEmpty()) {
      return infrastructure(
          library.get().name() + " maximum size",
          "raise it to request rate x time a connection is held, and some more for bursts");
    }
    return new SizeSetting(timeline)
        .pool(
            library.get().name(),
            Optional.of(wanted.get().now()),
            wanted.get().wanted(),
            demand(wanted.get(), "connections"));
  }

  private static String demand(Predictor.Wanted wanted, String what) {
    // The rate is of what was served: what still queued is not in it.
    return "the demand needs at least "
        + Numbers.threeDigits(wanted.load())
        + " "
        + what
        + " on average; with "
        + wanted.wanted()
        + " hardly any request waits longer than it holds one";
  }

  private List<Edit> moreThreads() {
    Optional<PlaceFinder.Group> group = PlaceFinder.group(incident);
    if (group.filter(one -> isEventLoop(one.name())).isPresent()) {
      return code(
          "do the blocking call on a worker thread (executeBlocking), not on the event loop");
    }
    Optional<Predictor.Wanted> wanted = new Predictor(incident, about).wanted(hypothesis);
    return group.isEmpty() || wanted.isEmpty()
        ? List.of()
        : List.of(
            new SizeSetting(timeline)
                .threads(
                    group.get().name(),
                    Optional.of(group.get().count()),
                    wanted.get().wanted(),
                    demand(wanted.get(), "threads")));
  }

  /** Loops of Netty and what is built on it: one per core, and never to be blocked. */
  private static boolean isEventLoop(String group) {
    String name = group.toLowerCase(Locale.ROOT);
    return name.contains("eventloop") || name.contains("reactor-http");
  }

  private List<Edit> largerRegions() {
    Window window = incident.windows().incident();
    OptionalDouble now = timeline.jvm().number(OutsideTlabRule.REGION_SIZE);
    Optional<Bytes> largest =
        timeline.allocation().sites().of(AllocationSite.Path.OUTSIDE_TLAB).within(window).stream()
            .flatMap(site -> site.typicalSize().stream())
            .max(Comparator.naturalOrder());
    if (now.isEmpty() || now.getAsDouble() <= 0) {
      return code("allocate smaller buffers, below half a G1 region");
    }
    // Without a size from a recording: four times a region takes objects of up to two.
    double object = largest.map(size -> (double) size.value()).orElse(2 * now.getAsDouble());
    long region = MEBI;
    while (region < 2 * object && region < LARGEST_REGION) {
      region *= 2;
    }
    return region <= now.getAsDouble()
        ? code("allocate smaller buffers, below half a G1 region")
        : List.of(
            Edit.flag(
                "-XX:G1HeapRegionSize",
                Optional.of(PlaceFinder.size(Bytes.of(Math.round(now.getAsDouble())))),
                PlaceFinder.size(Bytes.of(region)),
                why));
  }

  private List<Edit> noExplicitCollection() {
    boolean direct =
        timeline.samples(ExplicitCollection.class).stream()
            .anyMatch(ExplicitCollection::forDirectBuffers);
    boolean called = !timeline.samples(ExplicitCollection.class).isEmpty();
    if (direct || !called) {
      return code(
          direct
              ? "reuse direct buffers, or raise -XX:MaxDirectMemorySize"
              : "take class histograms and heap dumps rarely, or with -all, which skips the full GC");
    }
    return List.of(Edit.flag("-XX:+DisableExplicitGC", Optional.empty(), "", why));
  }

  private List<Edit> largerCodeCache() {
    List<Edit> edits = new ArrayList<>();
    timeline
        .jvm()
        .flag("ReservedCodeCacheSize")
        .ifPresent(
            flag ->
                edits.add(
                    Edit.flag(
                        "-XX:ReservedCodeCacheSize",
                        Optional.of(PlaceFinder.size(flag.value())),
                        codeCache(flag.value()),
                        why)));
    timeline
        .jvm()
        .flag("UseCodeCacheFlushing")
        .filter(flag -> flag.value().equals("false"))
        .ifPresent(
            flag ->
                edits.add(Edit.flag("-XX:+UseCodeCacheFlushing", Optional.of("false"), "", why)));
    return edits;
  }

  /**
   * G1 has the polls by itself, other collectors have not; in stripes they cost next to nothing.
   */
  private List<Edit> polls() {
    boolean tool = about.stream().anyMatch(f -> f.actions().containsKey(hypothesis));
    if (tool) {
      return List.of();
    }
    return List.of(
        Edit.flag("-XX:+UseCountedLoopSafepoints", flagNow("UseCountedLoopSafepoints"), "", why),
        Edit.flag("-XX:LoopStripMiningIter", flagNow("LoopStripMiningIter"), "1000", why));
  }

  private static String codeCache(String now) {
    Bytes present = Bytes.parse(now);
    return PlaceFinder.size(
        present.compareTo(DEFAULT_CODE_CACHE) < 0
            ? DEFAULT_CODE_CACHE
            : Bytes.of(2 * present.value()));
  }

  private Optional<String> flagNow(String name) {
    return timeline.jvm().flag(name).map(Flag::value);
  }

  private List<Edit> largerQuota() {
    return timeline.samples(CpuQuota.class).stream()
        .filter(one -> one.quota().isPresent())
        .reduce((first, last) -> last)
        .map(
            quota ->
                List.of(
                    Edit.infrastructure(
                        "CPU limit of the container",
                        Optional.of(PlaceFinder.cores(quota)),
                        "remove it, or raise it"
                            + timeline.jvm().cpus().stream()
                                .filter(cpus -> cpus > PlaceFinder.coresOf(quota))
                                .mapToObj(cpus -> " to " + cpus + (cpus == 1 ? " core" : " cores"))
                                .findFirst()
                                .orElse(""),
                        why)))
        .orElse(List.of());
  }

  /** What is in use of both is what fits into memory. */
  private List<Edit> moreMemory() {
    Optional<MachineMemory> memory =
        timeline.samples(MachineMemory.class).stream()
            .max(Comparator.comparingLong(one -> one.used().value()));
    Bytes swapped =
        timeline.samples(SwapSpace.class).stream()
            .map(SwapSpace::used)
            .max(Comparator.naturalOrder())
            .orElse(Bytes.ZERO);
    return memory
        .map(
            one ->
                List.of(
                    Edit.infrastructure(
                        "memory of the machine or container",
                        Optional.of(one.total().toString()),
                        "at least "
                            + one.used().plus(swapped)
                            + " (in use: "
                            + one.used()
                            + " and "
                            + swapped
                            + " of swap)",
                        why)))
        .orElse(List.of());
  }

  private List<Edit> downstream() {
    boolean many =
        about.stream()
            .map(finding -> finding.actions().getOrDefault(hypothesis, ""))
            .anyMatch(text -> text.contains("one call"));
    if (many) {
      return code("fetch everything in one query or call, not one per row (a batch)");
    }
    Optional<Part> host = at(Role.HOST);
    if (host.isEmpty()) {
      return List.of();
    }
    Optional<String> service = ofHost(host.get().toString());
    if (service.isPresent()) {
      return infrastructure(host.get().toString(), service.get());
    }
    boolean database = isDatabase(host.get());
    return infrastructure(
        host.get().toString(),
        database
            ? "find the statement that blocks or is slow there (pg_stat_activity, processlist: what"
                + " waits for a lock, what runs longest) and end or rewrite it"
            : "find why it answers slowly: its own latency, load and latest change");
  }

  /** What the host itself answers slowly, and how to have it answer faster. */
  private static Optional<String> ofHost(String host) {
    if (host.contains("DNS") || host.contains("looking up the host")) {
      return Optional.of(
          "time a lookup with 'getent hosts NAME'; find a slow name server or search domains that fail"
              + " first (resolv.conf: ndots, options timeout), and let the JVM keep answers"
              + " (networkaddress.cache.ttl)");
    }
    return host.contains("/dev/random")
        ? Optional.of(
            "use SecureRandom without generateSeed and not NativePRNGBlocking (JDK 8:"
                + " -Djava.security.egd=file:/dev/./urandom), or give the machine more entropy"
                + " (rng-tools)")
        : Optional.empty();
  }

  private static boolean isDatabase(Part host) {
    String text = host.toString();
    return List.of("PostgreSQL", "MySQL", "MariaDB", "Oracle", "SQL Server", "DB2", "H2").stream()
        .anyMatch(text::contains);
  }

  private List<Edit> returned() {
    boolean elsewhere =
        PlaceFinder.isHeldElsewhere(incident)
            || about.stream()
                .map(finding -> finding.actions().getOrDefault(hypothesis, ""))
                .anyMatch(text -> text.startsWith("return the connection before"));
    if (elsewhere) {
      return code(
          "return the connection before this call, or call it before the connection is acquired:"
              + " end the transaction or the block that spans both");
    }
    List<Edit> edits =
        new ArrayList<>(
            code(
                "close the connection in a finally block or by try-with-resources, also after an"
                    + " exception"));
    boolean told = about.stream().anyMatch(finding -> finding.actions().containsKey(hypothesis));
    PlaceFinder.library(timeline, incident.windows().incident())
        .filter(library -> !told)
        .map(library -> new SizeSetting(timeline).leakDetection(library.name()))
        .ifPresent(edits::addAll);
    return edits;
  }

  private List<Edit> lock() {
    Optional<OwnersTime> owners = OwnersTime.of(incident);
    Optional<String> call =
        owners
            .filter(
                time ->
                    time.share(WaitKind.DOWNSTREAM) + time.share(WaitKind.SLEEP) >= Policy.MAJORITY)
            .map(time -> time.names().getOrDefault(WaitKind.DOWNSTREAM, ""))
            .map(
                name ->
                    "call"
                        + (name.isEmpty() ? "" : " " + name)
                        + " outside the lock, before it is taken or after");
    Optional<Part> owner = at(Role.OWNER);
    // On the way that those take who wait, the lock is taken where they wait for it.
    boolean sameWay =
        owner
            .filter(part -> at(Role.CALLER).map(Part::name).equals(Optional.of(part.detail())))
            .isPresent();
    Optional<Part> where = sameWay ? at(Role.CODE) : owner.or(() -> at(Role.CODE));
    return where
        .map(
            part ->
                List.of(
                    Edit.code(
                        part.name(),
                        call.orElse("do less inside the lock, or hold one lock per key"),
                        why)))
        .orElse(List.of());
  }
}
