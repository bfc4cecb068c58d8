package io.gcdiag.verdict;

import io.gcdiag.books.LedgerEntry;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.HiddenTime;
import io.gcdiag.measures.UnaccountedInDumps;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.threads.DumpedWaits;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Lines of the ledger that bound what the others may lack: nothing in them is counted. */
record LedgerBounds(Case incident, EffectTimes times) {

  List<LedgerEntry> entries() {
    double total = times.totalExcessSeconds();
    List<LedgerEntry> entries = new ArrayList<>();
    times.afterStops().forEach((effect, waits) -> entries.add(afterStops(effect, waits, total)));
    incident
        .hidden()
        .map(hidden -> hidden(hidden, total))
        .or(() -> incident.unaccountedInDumps().map(rest -> rest(rest, total)))
        .ifPresent(entries::add);
    return entries;
  }

  /** What nothing recorded accounts for. */
  private LedgerEntry hidden(HiddenTime hidden, double total) {
    Optional<Double> before = hidden.before().map(baseline -> baseline.threads());
    return bound(
        Effect.UNACCOUNTED,
        Numbers.of(before, value -> value),
        hidden.during().threads(),
        share(hidden.more(), total),
        new HiddenTimeText(incident, hidden).note(total),
        List.of());
  }

  /** Waits in dumps that were taken after stops. */
  private LedgerEntry afterStops(Effect effect, DumpedWaits waits, double total) {
    double stopped = PauseTotals.of(incident.timeline(), incident.window()).shareStopped();
    return bound(
        effect,
        OptionalDouble.empty(),
        waits.high(),
        share(waits.high(), total),
        ("an upper bound: %s wait there, and so few samples allow at most this many;"
                + " pauses take %s of the time and leave short queues behind: none of it is"
                + " counted%s")
            .formatted(
                threads(waits.threads(), waits.dumps()),
                new Ratio(stopped),
                part(waits.high(), total)),
        waits.bySubject().entrySet().stream()
            .sorted(
                Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                    .thenComparing(Map.Entry.comparingByKey()))
            .map(
                site ->
                    new LedgerEntry.Site(site.getKey(), OptionalDouble.empty(), site.getValue()))
            .toList());
  }

  /** Running threads in thread dumps that are in no counted wait. */
  private LedgerEntry rest(UnaccountedInDumps rest, double total) {
    return bound(
        Effect.UNACCOUNTED,
        OptionalDouble.empty(),
        rest.atMost(),
        share(rest.atMost(), total),
        ("an upper bound: %s of %s request threads are at work and in no wait that is"
                + " counted, and so few samples allow at most this many: they compute, or wait"
                + " for calls, CPU or something else; dumps do not show how much of it is"
                + " normal%s")
            .formatted(
                threads(rest.threads(), rest.dumps()),
                Numbers.threeDigits(rest.present()),
                part(rest.atMost(), total)),
        List.of());
  }

  private static String threads(double threads, int dumps) {
    return dumps == 1
        ? "in one thread dump " + Numbers.threeDigits(threads)
        : "in " + dumps + " thread dumps " + Numbers.threeDigits(threads) + " on average";
  }

  /** Of all that users lost, where something was. */
  private String part(double threads, double total) {
    return total <= 0 || Math.round(1_000 * share(threads, total)) == 0
        ? ""
        : "; at most " + new Ratio(share(threads, total)) + " of the lost time can lie here";
  }

  /** 0 where nothing was lost. */
  private double share(double threads, double total) {
    double seconds = threads * incident.window().seconds();
    return total <= 0 ? 0 : seconds / (seconds + total);
  }

  private static LedgerEntry bound(
      Effect effect,
      OptionalDouble before,
      double during,
      double share,
      String note,
      List<LedgerEntry.Site> sites) {
    return new LedgerEntry(effect, before, during, Optional.empty(), 0, share, note, true, sites);
  }
}
