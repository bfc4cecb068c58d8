package io.gcdiag.causes.pool;

import io.gcdiag.books.OwnPlaces.Seen;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.causes.workers.SizeSetting;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.AsyncClient;
import io.gcdiag.evidence.threads.WaitSample.PoolHold;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.PoolDemand;
import io.gcdiag.measures.threads.PoolMeters;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.units.Numbers;
import java.util.Optional;
import java.util.stream.Stream;

/** Where connections are waited for or held, and the library of their pool. */
record PoolPlaces(PlaceParts found) {

  Optional<Seen> borrowing() {
    return found
        .own()
        .most(Activity.BORROWING)
        .or(() -> found.own().inDumps(thread -> thread.is(ThreadActivity.WAITING_FOR_POOL)))
        .or(() -> found.own().most(Activity.CALLING))
        .or(() -> found.own().inDumps(thread -> thread.is(ThreadActivity.IN_DOWNSTREAM_CALL)));
  }

  /** Where connections are held through work that needs none. */
  static Optional<Seen> heldElsewhere(MeasuredIncident incident) {
    return new PoolPlaces(new PlaceParts(incident)).holding();
  }

  /** Where the holders of connections do work that does not use them. */
  Optional<Seen> holding() {
    Optional<HoldersTime> holders =
        HoldersTime.of(found.incident()).filter(HoldersTime::mostlyElsewhere);
    Optional<Seen> called =
        holders
            .flatMap(time -> time.name(PoolHold.Kind.OTHER_CALL))
            .flatMap(
                remote ->
                    found
                        .own()
                        .most(
                            Activity.CALLING,
                            spot -> clients(remote).anyMatch(spot.subject()::equals)));
    return called
        .or(
            () ->
                holders.isPresent()
                    ? found.own().most(Activity.SLEEPING, Spot::onRequestThread)
                    : Optional.empty())
        .or(this::calledWhileOthersWait)
        // The calling class is a client; its caller holds the connection.
        .map(Seen::calledByUser);
  }

  private Stream<String> clients(String remote) {
    return found.timeline().waits(WaitKind.DOWNSTREAM).stream()
        .map(WaitSeries::site)
        .filter(site -> site.name().equals(remote) || site.client().equals(remote))
        .map(WaitSite::client);
  }

  /** By thread dumps: calls to services while other threads wait for a database connection. */
  private Optional<Seen> calledWhileOthersWait() {
    boolean ofDatabase =
        found.timeline().dumps().stream()
            .flatMap(dump -> dump.threads().stream())
            .anyMatch(thread -> thread.is(ThreadActivity.WAITING_FOR_POOL) && !thread.ofService());
    return ofDatabase
        ? found
            .own()
            .inDumps(thread -> thread.is(ThreadActivity.IN_DOWNSTREAM_CALL) && thread.ofService())
        : Optional.empty();
  }

  /** Whether this is the size itself, not only the most connections seen. */
  boolean isExact(PoolDemand.Known<Integer> size) {
    return size.bound().isEmpty() || new SizeSetting(found.timeline()).isSet(size.value());
  }

  void pool(Optional<Seen> seen, Optional<PoolDemand.Known<Integer>> size) {
    found.code(seen);
    String detail =
        size.map(
                known ->
                    (isExact(known) ? "" : known.bound() + " ")
                        + Numbers.counted(known.value(), "connection"))
            .orElse("");
    Optional<PoolMeters> meters = PoolMeters.of(found.timeline());
    String name =
        meters
            .map(PoolMeters::name)
            .filter(own -> !own.equals("pool"))
            .map(n -> " \"" + n + "\"")
            .orElse("");
    library(found.timeline(), found.window())
        .ifPresent(
            library -> {
              Source source =
                  size.map(PoolDemand.Known::source)
                      .or(() -> meters.flatMap(one -> one.source(MetricMeaning.POOL_PENDING)))
                      .orElseGet(library::source);
              found.add(new Part(Role.POOL, library.name() + name, detail, source));
            });
  }

  /**
   * A pool's library.
   *
   * @param name as reports name it
   * @param source where its frames were read
   */
  record Library(String name, Source source) {}

  /** The library of the pool that threads wait for, by stacks of a recording or of dumps. */
  static Optional<Library> library(Timeline timeline, Window window) {
    return WaitSeries.longest(UserWaits.of(timeline, WaitKind.POOL), window)
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
}
