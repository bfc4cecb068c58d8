package io.gcdiag.causes.calls;

import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.threads.HostService;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.measures.threads.UserWaits;
import java.util.Optional;
import java.util.function.Predicate;

/** Where requests make downstream calls or use files. */
public record CallPlaces(PlaceParts found) {

  public void call() {
    Optional<WaitSeries> busiest =
        found.longest(UserWaits.of(found.timeline(), WaitKind.DOWNSTREAM));
    Predicate<Spot> ofIt =
        spot ->
            busiest
                .map(series -> series.site().client())
                .filter(client -> !client.isEmpty())
                .map(spot.subject()::equals)
                .orElse(true);
    found.code(
        found
            .own()
            .most(Activity.CALLING, ofIt)
            .or(() -> found.own().most(Activity.SAMPLED_CALLING))
            .or(() -> found.own().inDumps(thread -> thread.is(ThreadActivity.IN_DOWNSTREAM_CALL))));
    busiest
        .filter(series -> !series.site().label().isEmpty())
        .ifPresent(
            series ->
                found.add(
                    HostService.isRandom(series.site().label())
                        ? new Part(Role.FILE, HostService.RANDOM, series.source())
                        : host(series)));
  }

  private static Part host(WaitSeries series) {
    WaitSite site = series.site();
    if (HostService.isLookup(site.label())) {
      return new Part(Role.MACHINE, site.label(), series.source());
    }
    return new Part(
        Role.HOST,
        site.name().isEmpty() ? site.client() : site.name(),
        site.client().equals(site.name()) ? "" : site.client(),
        series.source());
  }

  public void file() {
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
}
