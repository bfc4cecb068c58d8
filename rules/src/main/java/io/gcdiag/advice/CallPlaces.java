package io.gcdiag.advice;

import io.gcdiag.advice.Place.Part;
import io.gcdiag.advice.Place.Role;
import io.gcdiag.evidence.profile.OwnCode.Activity;
import io.gcdiag.evidence.profile.OwnCode.Spot;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.waits.HostService;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.evidence.waits.WaitSite;
import io.gcdiag.measures.waits.UserWaits;
import java.util.Optional;
import java.util.function.Predicate;

/** Where requests make downstream calls or use files. */
record CallPlaces(PlaceParts found) {

  void call() {
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

  void file() {
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
