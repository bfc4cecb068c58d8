package io.gcdiag.verdict;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.OwnPlaces;
import io.gcdiag.books.OwnPlaces.Seen;
import io.gcdiag.books.Place;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.causes.calls.CallPlaces;
import io.gcdiag.causes.calls.EndpointExcess;
import io.gcdiag.causes.cores.MachinePlaces;
import io.gcdiag.causes.memory.FinalizerBacklog;
import io.gcdiag.causes.memory.GcRequester;
import io.gcdiag.causes.memory.MemoryPlaces;
import io.gcdiag.causes.pool.PoolPlaces;
import io.gcdiag.causes.stops.StopsByOperation;
import io.gcdiag.causes.waits.LockPlaces;
import io.gcdiag.causes.workers.WorkerPlaces;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcSample.ExplicitCollection;
import io.gcdiag.evidence.jvm.OutsideRequest;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.jvm.VmOperations;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.threads.PoolDemand;
import io.gcdiag.units.Durations;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the place of a suspected cause in code, configuration or the machine. */
final class PlaceFinder {

  private static final double PERCENT = 100;

  /**
   * What some requests meet and others do not. What stops or slows the whole process delays long
   * requests most, whatever they do.
   */
  private static final Set<Hypothesis> OF_REQUESTS =
      EnumSet.of(
          Hypothesis.SLOW_DOWNSTREAM,
          Hypothesis.LOCK_CONTENTION,
          Hypothesis.DEADLOCK,
          Hypothesis.SLOW_DISK,
          Hypothesis.REQUESTS_SLEEP,
          Hypothesis.LOG_QUEUE_FULL,
          Hypothesis.SLOW_CLIENTS,
          Hypothesis.CONNECTION_POOL_UNDERSIZED,
          Hypothesis.CONNECTION_LEAK,
          Hypothesis.THREAD_POOL_EXHAUSTED,
          Hypothesis.VIRTUAL_THREAD_PINNING,
          Hypothesis.EXCEPTION_STORM,
          Hypothesis.NATIVE_OR_UNKNOWN);

  private final PlaceParts found;

  private PlaceFinder(Case incident) {
    this.found = new PlaceParts(incident);
  }

  /** The place of a suspect; empty if the files do not show any. */
  static Optional<Place> of(Case incident, Hypothesis hypothesis) {
    PlaceFinder finder = new PlaceFinder(incident);
    finder.find(hypothesis);
    if (OF_REQUESTS.contains(hypothesis)) {
      finder.endpoint(incident);
    }
    return finder.found.place();
  }

  /** The one endpoint whose requests are slow. */
  private void endpoint(Incident incident) {
    EndpointExcess.slowOne(incident)
        .ifPresent(
            slow ->
                found.add(
                    new Part(
                        Role.ENDPOINT,
                        slow.endpoint(),
                        "%s -> %s, %s %% of the delay"
                            .formatted(
                                Durations.format(slow.before()),
                                Durations.format(slow.during()),
                                Math.round(PERCENT * slow.share())),
                        slow.source())));
  }

  private void find(Hypothesis hypothesis) {
    Timeline timeline = found.timeline();
    Window window = found.window();
    OwnPlaces own = found.own();
    PoolPlaces pools = new PoolPlaces(found);
    MemoryPlaces memory = new MemoryPlaces(found);
    MachinePlaces machine = new MachinePlaces(found);
    switch (hypothesis) {
      case MEMORY_PRESSURE, HEAP_RESIZING -> memory.heap();
      case MEMORY_LEAK -> memory.leak();
      case ALLOCATION_CHURN -> found.code(memory.allocating(Activity.ALLOCATING));
      case HUMONGOUS_ALLOCATION -> memory.humongous();
      case CONNECTION_POOL_UNDERSIZED ->
          pools.pool(pools.borrowing(), PoolDemand.size(timeline, window));
      // The connections in use do not show the size of a pool whose connections are held idle.
      case CONNECTION_LEAK ->
          pools.pool(
              pools.holding().or(pools::borrowing),
              PoolDemand.size(timeline, window).filter(pools::isExact));
      case SLOW_DOWNSTREAM -> new CallPlaces(found).call();
      case CPU_SATURATION -> found.code(own.mostOfAll(Activity.RUNNING).or(own::runningInDumps));
      case CPU_THROTTLING -> machine.quota();
      case SWAPPING -> memory.memory();
      case GC_LOCKER -> found.code(critical());
      case EXPLICIT_GC -> requestedCollections();
      case METASPACE_PRESSURE -> found.code(own.mostOfAll(Activity.DEFINING_CLASSES));
      case LOCK_CONTENTION -> new LockPlaces(found).lock();
      case LOG_QUEUE_FULL ->
          found.code(
              own.inDumps(thread -> thread.is(ThreadActivity.WAITING_TO_LOG))
                  .or(() -> own.most(Activity.WAITING, Spot::onRequestThread)));
      case SLOW_CLIENTS ->
          found.code(
              own.inDumps(thread -> thread.is(ThreadActivity.WAITING_FOR_CLIENT))
                  .or(() -> own.most(Activity.AT_CLIENT, Spot::onRequestThread)));
      case DEADLOCK -> new LockPlaces(found).deadlock();
      case VIRTUAL_THREAD_PINNING -> new WorkerPlaces(found).pinned();
      case THREAD_POOL_EXHAUSTED -> new WorkerPlaces(found).threads();
      case SAFEPOINT_STALL ->
          StopsByOperation.requested(found.incident())
              .ifPresentOrElse(
                  this::requested,
                  () ->
                      found.code(
                          own.mostOfAll(Activity.DELAYING_STOPS)
                              .or(
                                  () ->
                                      own.mostOfAll(
                                          Activity.RUNNING, spot -> !spot.onRequestThread()))
                              .or(() -> own.mostOfAll(Activity.RUNNING))));
      case SLOW_DISK -> new CallPlaces(found).file();
      case THREAD_LEAK -> found.code(own.mostOfAll(Activity.STARTING_THREADS));
      case JIT_PRESSURE -> memory.codeCache();
      case EXCEPTION_STORM ->
          found.code(
              own.mostOfAll(Activity.THROWING).or(() -> own.mostOfAll(Activity.SAMPLED_THROWING)));
      case REQUESTS_SLEEP ->
          found.code(
              own.most(Activity.SLEEPING, Spot::onRequestThread)
                  .or(() -> own.most(Activity.SLEEPING)));
      case HOST_CPU_CONTENTION -> machine.programs();
      case CONTAINER_MEMORY -> memory.limit();
      case DIRECT_MEMORY -> found.code(allocatingBuffers());
      case FINALIZER_BACKLOG ->
          found.code(own.inDumps(thread -> FinalizerBacklog.THREADS.contains(thread.name())));
      case NATIVE_OR_UNKNOWN ->
          found.code(
              own.inDumps(ThreadState::requestThread)
                  .or(() -> own.most(Activity.WAITING, Spot::onRequestThread)));
    }
  }

  /** Who requests collections: code, or another process, whose request is in no code. */
  private void requestedCollections() {
    Timeline timeline = found.timeline();
    Window window = found.window();
    if (GcRequester.isOutside(timeline, window)) {
      Stream.concat(
              timeline.samples(OutsideRequest.class, window).stream().map(OutsideRequest::source),
              timeline.samples(ExplicitCollection.class, window).stream()
                  .map(ExplicitCollection::source))
          .findFirst()
          .ifPresent(this::outside);
      return;
    }
    OwnPlaces own = found.own();
    found.code(
        own.mostOfAll(Activity.COLLECTING)
            .or(
                () ->
                    own.mostOfAll(
                        Activity.REQUESTING_STOPS,
                        spot -> VmOperations.collectsOnRequest(spot.subject()))));
  }

  /** Who requests an operation: code, or else another process. */
  private void requested(String operation) {
    Optional<Seen> code =
        found.own().mostOfAll(Activity.REQUESTING_STOPS, spot -> spot.subject().equals(operation));
    found.code(code);
    if (code.isEmpty()) {
      found.timeline().samples(OutsideRequest.class, found.window()).stream()
          .filter(request -> request.operation().equals(operation))
          .map(OutsideRequest::source)
          .findFirst()
          .ifPresent(this::outside);
    }
  }

  private void outside(Source source) {
    found.add(new Part(Role.MACHINE, "requested from outside the process", "jcmd, JMX", source));
  }

  /** JNI critical sections are native code that works on a Java array, mostly compression. */
  private Optional<Seen> critical() {
    return found
        .own()
        .mostOfAll(Activity.NATIVE, spot -> spot.subject().startsWith("java.util.zip."))
        .or(() -> found.own().mostOfAll(Activity.NATIVE));
  }

  /** Code that allocates direct buffers at their limit. */
  private Optional<Seen> allocatingBuffers() {
    return Optional.of(GcRequester.of(found.timeline(), found.window()))
        .filter(GcRequester.DIRECT_BUFFERS::equals)
        .flatMap(any -> found.own().mostOfAll(Activity.COLLECTING))
        .or(
            () ->
                found.own().inDumps(thread -> thread.is(ThreadActivity.WAITING_FOR_DIRECT_MEMORY)));
  }
}
