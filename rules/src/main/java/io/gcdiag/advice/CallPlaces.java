package io.gcdiag.advice;

import io.gcdiag.advice.Place.Part;
import io.gcdiag.advice.Place.Role;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.profile.OwnCode.Activity;
import io.gcdiag.evidence.profile.OwnCode.Spot;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.HostService;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.evidence.waits.WaitSite;
import io.gcdiag.measures.waits.UserWaits;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Predicate;

/** Where requests make downstream calls or use files. */
final class CallPlaces {

  private final PlaceParts found;
  private final Timeline timeline;
  private final Window window;
  private final OwnPlaces own;

  CallPlaces(PlaceParts found) {
    this.found = found;
    this.timeline = found.timeline();
    this.window = found.window();
    this.own = found.own();
  }

  void call() {
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
    found.code(
        own.most(Activity.CALLING, ofIt)
            .or(() -> own.most(Activity.SAMPLED_CALLING))
            .or(
                () ->
                    own.inDumps(thread -> thread.activity() == ThreadActivity.IN_DOWNSTREAM_CALL)));
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
        own.most(Activity.FILE_IO)
            .or(() -> own.inDumps(t -> t.activity() == ThreadActivity.IN_FILE)));
    UserWaits.of(timeline, WaitKind.FILE).stream()
        .max(
            Comparator.comparingDouble((WaitSeries s) -> s.within(window).waitedSeconds())
                .thenComparing(WaitSeries::site))
        .filter(series -> series.site().isNamed())
        .ifPresent(series -> found.add(new Part(Role.FILE, series.site().name(), series.source())));
  }
}
