package io.gcdiag.causes.waits;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.threads.HostService;
import io.gcdiag.evidence.threads.LockOwner;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.LockHold;
import io.gcdiag.evidence.threads.WaitSample.LockHold.Doing;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the owners of locks that users wait for did with the held time: by the recording if it has
 * enough holds, else by thread dumps.
 *
 * @param shares how much of the held time owners waited themselves, by what for, 0 to 1 in all; the
 *     rest they ran, or waited unseen
 * @param timed how much of it events alone show, 0 to 1: less than in {@code shares} where samples
 *     see waits that are too short for events, or that the recorder left out
 * @param names what was mostly waited for, where it is known: an address, a file
 * @param random how much of the held time of {@code shares} in downstream calls goes to random
 *     numbers of the host, 0 to 1 of the held time
 * @param statement the same in words
 * @param sources where it was read
 */
record OwnersTime(
    Map<WaitKind, Double> shares,
    Map<WaitKind, Double> timed,
    Map<WaitKind, String> names,
    double random,
    String statement,
    List<Source> sources) {

  /**
   * What an owner did.
   *
   * @param words after "the owners"
   * @param spent what hold time was spent on
   */
  private record Did(String words, String spent) {}

  /** All other waits are "something else". */
  private static final Map<WaitKind, Did> DID =
      Map.ofEntries(
          Map.entry(WaitKind.FILE, new Did("were in file I/O", "in file I/O")),
          Map.entry(
              WaitKind.DOWNSTREAM, new Did("waited for a downstream call", "in downstream calls")),
          Map.entry(WaitKind.POOL, new Did("waited for a connection", "waiting for a connection")),
          Map.entry(WaitKind.LOCK, new Did("waited for another lock", "waiting for another lock")),
          Map.entry(
              WaitKind.LOG_QUEUE,
              new Did("waited for room in a log queue", "waiting for room in a log queue")),
          Map.entry(
              WaitKind.DIRECT_MEMORY,
              new Did("waited for direct buffer memory", "waiting for direct buffer memory")),
          Map.entry(
              WaitKind.CLIENT, new Did("waited for a slow client", "waiting for a slow client")),
          Map.entry(WaitKind.SLEEP, new Did("slept", "asleep")));

  private static final String OTHERWISE = "waited for something else";

  static Optional<OwnersTime> of(Incident incident) {
    return recorded(incident).or(() -> dumped(incident));
  }

  /** What the owners did with the held time, as the rest of a sentence about them. */
  String words() {
    return words(shares, timed, names);
  }

  /** What they waited for during most of the held time, and the share of it. */
  Optional<Map.Entry<String, String>> most() {
    return shares.entrySet().stream()
        .filter(share -> share.getValue() >= Policy.NEGLIGIBLE)
        .max(
            Map.Entry.<WaitKind, Double>comparingByValue()
                .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
        .flatMap(
            share ->
                Optional.ofNullable(DID.get(share.getKey()))
                    .map(Did::spent)
                    .map(where -> where + inBrackets(share.getKey(), names))
                    .map(where -> Map.entry(where, share(share.getKey(), shares, timed))));
  }

  /** Share of the held time in which the owners waited for that. */
  double share(WaitKind kind) {
    return shares.getOrDefault(kind, 0.0);
  }

  /** Share of the held time without a known wait, 0 to 1: the owners ran, or waited unseen. */
  double unseen() {
    return 1 - shares.values().stream().mapToDouble(share -> share).sum();
  }

  /**
   * Share of the held time that slower answers add: the owners' calls, as far as they are longer
   * than in the baseline. Random numbers of the host count in full, because the host delivers a
   * limited number per second, with or without the lock.
   *
   * @param inflation how many times as long as in the baseline calls take
   */
  double shareOfSlowCalls(double inflation) {
    return random + (share(WaitKind.DOWNSTREAM) - random) * (1 - 1 / inflation);
  }

  private static Optional<OwnersTime> recorded(Incident incident) {
    Window window = incident.window();
    Map<String, Double> waited =
        UserWaits.of(incident.timeline(), WaitKind.LOCK).stream()
            .collect(
                Collectors.groupingBy(
                    lock -> lock.site().name(),
                    Collectors.summingDouble(lock -> lock.within(window).waitedSeconds())));
    List<LockHold> holds =
        incident.timeline().samples(LockHold.class, window).stream()
            .filter(hold -> waited.containsKey(hold.lock()))
            .toList();
    if (!areOfMost(waited, holds)) {
      return Optional.empty();
    }
    long count = holds.stream().mapToLong(LockHold::holds).sum();
    double held = holds.stream().mapToDouble(LockHold::heldSeconds).sum();
    Map<Doing, Double> recorded = sum(holds.stream().map(LockHold::timed).toList());
    // A few holds give no share, unless the owners' own events fill all of them.
    if (held <= 0 || count < Policy.FEWEST_COUNTED && Numbers.sum(recorded) < Policy.FULL * held) {
      return Optional.empty();
    }
    Map<Doing, Double> sampled = sum(holds.stream().map(LockHold::sampled).toList());
    Map<WaitKind, Double> seconds = byKind(recorded);
    Map<WaitKind, Double> timed = shares(seconds, held);
    // Both measure the same time: events only long waits, samples short ones, too.
    byKind(sampled).forEach((kind, more) -> seconds.merge(kind, more, Math::max));
    Map<WaitKind, Double> shares = shares(seconds, held);
    Map<WaitKind, String> names = names(shares.keySet(), recorded, sampled);
    return Optional.of(
        new OwnersTime(
            shares,
            timed,
            names,
            random(shares, recorded, sampled),
            "in %s contended holds the owners %s"
                .formatted(Numbers.count(count), words(shares, timed, names)),
            holds.stream().map(LockHold::source).distinct().toList()));
  }

  /** Owners of a lock with hardly any waiting thread say nothing about the owners of another. */
  private static boolean areOfMost(Map<String, Double> waited, List<LockHold> holds) {
    Set<String> owned = holds.stream().map(LockHold::lock).collect(Collectors.toSet());
    double known = owned.stream().mapToDouble(waited::get).sum();
    return known > Policy.MAJORITY * Numbers.sum(waited);
  }

  private static Optional<OwnersTime> dumped(Incident incident) {
    Map<Doing, Double> waiting = new LinkedHashMap<>();
    List<Source> sources = new ArrayList<>();
    double all = 0;
    int dumps = 0;
    for (ThreadSnapshot dump : incident.timeline().dumps(incident.window())) {
      List<LockOwner> owners =
          dump.lockOwners().stream().filter(one -> one.waiting() >= Policy.FEWEST_QUEUED).toList();
      for (LockOwner owner : owners) {
        all += owner.waiting();
        owner
            .doing()
            .ifPresent(
                kind ->
                    waiting.merge(
                        new Doing(kind, owner.what()), (double) owner.waiting(), Double::sum));
      }
      if (!owners.isEmpty()) {
        dumps++;
        sources.add(dump.source());
      }
    }
    if (dumps == 0) {
      return Optional.empty();
    }
    Map<WaitKind, Double> shares = shares(byKind(waiting), all);
    Map<WaitKind, String> names = names(shares.keySet(), waiting, Map.of());
    return Optional.of(
        new OwnersTime(
            shares,
            shares,
            names,
            random(shares, waiting, Map.of()),
            "in %s %s threads wait for locks whose owners %s"
                .formatted(
                    dumps == 1 ? "one thread dump" : dumps + " thread dumps",
                    Numbers.count((long) all),
                    words(shares, shares, names)),
            sources));
  }

  private static Map<Doing, Double> sum(List<Map<Doing, Double>> parts) {
    Map<Doing, Double> sum = new LinkedHashMap<>();
    parts.forEach(part -> part.forEach((doing, time) -> sum.merge(doing, time, Double::sum)));
    return sum;
  }

  private static Map<WaitKind, Double> byKind(Map<Doing, Double> times) {
    Map<WaitKind, Double> sum = new EnumMap<>(WaitKind.class);
    times.forEach((doing, time) -> sum.merge(doing.kind(), time, Double::sum));
    return sum;
  }

  private static Map<WaitKind, Double> shares(Map<WaitKind, Double> times, double whole) {
    double all = Math.max(whole, times.values().stream().mapToDouble(time -> time).sum());
    Map<WaitKind, Double> shares = new EnumMap<>(WaitKind.class);
    times.forEach((kind, time) -> shares.put(kind, time / all));
    return shares;
  }

  /** Share of random numbers, by events, or by samples if there are none. */
  private static double random(
      Map<WaitKind, Double> shares, Map<Doing, Double> named, Map<Doing, Double> otherwise) {
    Map<Doing, Double> calls = calls(named).isEmpty() ? calls(otherwise) : calls(named);
    double all = calls.values().stream().mapToDouble(time -> time).sum();
    double random =
        calls.entrySet().stream()
            .filter(call -> HostService.isRandom(call.getKey().what()))
            .mapToDouble(Map.Entry::getValue)
            .sum();
    return all <= 0 ? 0 : shares.getOrDefault(WaitKind.DOWNSTREAM, 0.0) * random / all;
  }

  private static Map<Doing, Double> calls(Map<Doing, Double> times) {
    return times.entrySet().stream()
        .filter(one -> one.getKey().kind() == WaitKind.DOWNSTREAM)
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, Map.Entry::getValue, Double::sum, LinkedHashMap::new));
  }

  private static String words(
      Map<WaitKind, Double> shares, Map<WaitKind, Double> timed, Map<WaitKind, String> names) {
    String parts =
        shares.entrySet().stream()
            .filter(share -> share.getValue() >= Policy.NEGLIGIBLE)
            .sorted(
                Map.Entry.<WaitKind, Double>comparingByValue()
                    .reversed()
                    .thenComparing(Map.Entry.comparingByKey()))
            .map(share -> words(share.getKey(), share(share.getKey(), shares, timed), names))
            .collect(Collectors.joining(", "));
    return parts.isEmpty() ? "were in no recorded wait" : parts;
  }

  private static String words(WaitKind kind, String share, Map<WaitKind, String> names) {
    String verb = Optional.ofNullable(DID.get(kind)).map(Did::words).orElse(OTHERWISE);
    return verb + inBrackets(kind, names) + " " + share + " of the time";
  }

  /**
   * The share as it can be checked in the events. Samples are few and each stands for an estimated
   * time, so if events show most of the sampled time, their figure is printed, as a lower bound.
   */
  private static String share(
      WaitKind kind, Map<WaitKind, Double> shares, Map<WaitKind, Double> timed) {
    double share = shares.get(kind);
    double seen = timed.getOrDefault(kind, 0.0);
    if (share - seen < Policy.NEGLIGIBLE) {
      return new Ratio(share).toString();
    }
    return seen > Policy.MAJORITY * share
        ? "at least " + new Ratio(seen)
        : "by samples " + new Ratio(share);
  }

  private static String inBrackets(WaitKind kind, Map<WaitKind, String> names) {
    return names.containsKey(kind) ? " (" + names.get(kind) + ")" : "";
  }

  /** Events name the file or address, samples only the library. */
  private static Map<WaitKind, String> names(
      Set<WaitKind> kinds, Map<Doing, Double> named, Map<Doing, Double> otherwise) {
    Map<WaitKind, String> names = new EnumMap<>(WaitKind.class);
    kinds.forEach(
        kind ->
            name(kind, named)
                .or(() -> name(kind, otherwise))
                .ifPresent(one -> names.put(kind, one)));
    return names;
  }

  private static Optional<String> name(WaitKind kind, Map<Doing, Double> times) {
    return times.entrySet().stream()
        .filter(one -> one.getKey().kind() == kind && !one.getKey().what().isEmpty())
        .max(
            Map.Entry.<Doing, Double>comparingByValue()
                .thenComparing(one -> one.getKey().what(), Comparator.reverseOrder()))
        .map(one -> one.getKey().what());
  }
}
