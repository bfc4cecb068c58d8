package io.gcdiag.causes.cores;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.IncidentBuilder.millis;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Bearing;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.jvm.CodeSite;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.CpuProfile;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.CpuSample.HardwareThreads;
import io.gcdiag.evidence.jvm.CpuSample.ThrottleCount;
import io.gcdiag.evidence.jvm.CpuSample.UndatedProfile;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.MeterSketch;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class CpuLoadRuleTest {

  private final Rule rule = new CpuLoadRule();

  /** With a meter of the process, by which the readings are. */
  private static IncidentBuilder metered(IncidentBuilder incident) {
    incident
        .timeline()
        .metric(MeterSketch.gauge("process_cpu_usage", MetricMeaning.PROCESS_CPU, 0.25, 0.9));
    return incident;
  }

  @Test
  void metersThatBecameFullNameTheWorkAndThoseThatAreFullAreALead() {
    IncidentBuilder grew = metered(incident());
    IncidentBuilder level = metered(incident().withoutBaseline());
    for (int scrape = 0; scrape < 8; scrape++) {
      double own = scrape < 4 ? 0.25 : 0.9;
      grew.cpu(15 * scrape, own, own + 0.05);
      level.cpu(60 + 7 * scrape, 0.9, 0.95);
    }
    Finding named = only(rule, grew);
    assertTrue(explains(named, Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE) > 0.9);
    Finding lead = only(rule, level);
    assertEquals(0, explains(lead, Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE), 1e-9);
    assertTrue(supports(lead, Hypothesis.CPU_SATURATION));
  }

  /** Scraped every ten seconds: 1 in the first six readings, and as given in the next six. */
  private static IncidentBuilder loadAverage(double during) {
    double[] values = new double[12];
    Arrays.setAll(values, i -> i < 6 ? 1 : during);
    return incident()
        .cpus(4)
        .metered(MeterSketch.gauge("node_load1", MetricMeaning.LOAD_AVERAGE, values));
  }

  @Test
  void aLoadAverageBeyondTheCpusIsALeadAndNoProof() {
    Finding finding = only(rule, loadAverage(9));
    assertEquals(
        "load average 1 -> 9 on 4 CPUs: threads of the machine wait for CPU, or for a disk, which"
            + " counts as well",
        finding.statement());
    assertEquals(List.of(new Bearing.Accompanies(Hypothesis.CPU_SATURATION)), finding.bearings());
    Finding below = only(rule, loadAverage(3));
    assertEquals("load average 1 -> 3 on 4 CPUs", below.statement());
    assertTrue(weakens(below, Hypothesis.CPU_SATURATION));
  }

  /** Baseline in the first minute, as vmstat prints the machine every ten seconds. */
  private static IncidentBuilder machineAlone(double during) {
    return incident()
        .metered(
            MeterSketch.gauge(
                "system_cpu_usage",
                MetricMeaning.MACHINE_CPU,
                DoubleStream.concat(
                        DoubleStream.generate(() -> 0.2).limit(6),
                        DoubleStream.generate(() -> during).limit(6))
                    .toArray()));
  }

  @Test
  void aFullMachineOfWhichNothingIsKnownLeavesOpenWhoseCpuItIs() {
    Finding full = only(rule, machineAlone(0.95));
    assertEquals("machine CPU 95.0 %; these files do not say whose it is", full.statement());
    assertTrue(supports(full, Hypothesis.CPU_SATURATION));
    assertTrue(supports(full, Hypothesis.HOST_CPU_CONTENTION));
    assertEquals(Hypothesis.HOST_CPU_CONTENTION, full.inseparable().get(0).other());
  }

  @Test
  void aMachineWithRoomWeakensBoth() {
    Finding room = only(rule, machineAlone(0.5));
    assertTrue(weakens(room, Hypothesis.CPU_SATURATION));
    assertTrue(weakens(room, Hypothesis.HOST_CPU_CONTENTION));
    assertEquals(List.of(), only(rule, machineAlone(0.8)).bearings());
  }

  /** The service uses a quarter of the CPUs, other processes the rest; nothing was before. */
  @Test
  void aMachineThatOthersFillIsNotTheServicesByMeters() {
    IncidentBuilder incident =
        incident()
            .withoutBaseline()
            .cpus(2)
            .metered(
                MeterSketch.gauge("process_cpu_cores", MetricMeaning.PROCESS_CORES, 0.5, 0.5, 0.5));
    for (int second = 65; second < 100; second += 10) {
      incident.cpu(second, 0.25, 0.97);
    }
    Finding finding = only(rule, incident);
    assertTrue(supports(finding, Hypothesis.HOST_CPU_CONTENTION));
    assertFalse(supports(finding, Hypothesis.CPU_SATURATION));
  }

  @Test
  void aLoadThatIsKnownGoesBeforeTheLoadAverage() {
    Finding finding = only(rule, loadAverage(9).cpu(30, 0.2, 0.3).cpu(90, 0.2, 0.3));
    assertTrue(finding.statement().startsWith("machine CPU 30.0 %"), finding::statement);
  }

  /** Meters of a service that grew from a quarter of its CPUs to all, and what the log says. */
  private static IncidentBuilder full(String cpus) {
    IncidentBuilder incident = metered(incident()).cpus(2).flag("CPUs", cpus);
    for (int scrape = 0; scrape < 8; scrape++) {
      double own = scrape < 4 ? 0.25 : 1;
      incident.cpu(15 * scrape, own, own);
    }
    return incident;
  }

  @Test
  void fullMetersOfSomeOfTheMachinesCpusMayBeAQuotaThatIsUsedUp() {
    Finding either = only(rule, full("4 total, 2 available"));
    assertEquals(0.5, explains(either, Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE), 1e-9);
    assertEquals(0.5, explains(either, Hypothesis.CPU_THROTTLING, Effect.CPU_QUEUE), 1e-9);
    assertEquals(Hypothesis.CPU_THROTTLING, either.inseparable().get(0).other());
    Finding all = only(rule, full("2 total, 2 available"));
    assertEquals(1, explains(all, Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE), 1e-9);
    assertEquals(List.of(), all.inseparable());
  }

  @Test
  void aLimitWithoutItsCountersLeavesThrottlingOpenAndCountersDecide() {
    Source meter = new Source("metrics.txt", "container_spec_cpu_quota");
    CpuQuota limit =
        new CpuQuota(
            IncidentBuilder.at(0),
            Optional.of(Duration.ofMillis(200)),
            Duration.ofMillis(100),
            meter);
    Finding open = only(rule, full("").sample(limit));
    assertEquals(0.5, explains(open, Hypothesis.CPU_THROTTLING, Effect.CPU_QUEUE), 1e-9);
    ThrottleCount never = new ThrottleCount(IncidentBuilder.at(0), 9, 0, Duration.ZERO, meter);
    Finding counted = only(rule, full("4 total, 2 available").sample(limit).sample(never));
    assertEquals(1, explains(counted, Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE), 1e-9);
    CpuQuota none =
        new CpuQuota(IncidentBuilder.at(0), Optional.empty(), Duration.ofMillis(100), meter);
    Finding free = only(rule, full("4 total, 2 available").sample(none));
    assertEquals(1, explains(free, Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE), 1e-9);
  }

  @Test
  void aProfileWithoutTimesSaysWhereToDoLess() {
    IncidentBuilder full = incident().cpu(30, 0.38, 0.40).cpu(90, 0.90, 0.95);
    full.sample(
        new UndatedProfile(
            Instant.EPOCH,
            new CodePlace("com.acme.Price.of", CodePlace.NO_LINE),
            new Source("out.collapsed", "")));
    assertEquals(
        "com.acme.Price.of: do less here, where most samples of the profile are",
        only(rule, full).actions().get(Hypothesis.CPU_SATURATION));
  }

  @Test
  void aMachineFilledByTheServiceSpeaksForSaturation() {
    // The service grew from 38 % to 90 %; others from 2 % to 5 %, too little to crowd it out.
    Finding finding = only(rule, incident().cpu(30, 0.38, 0.40).cpu(90, 0.90, 0.95));
    assertEquals(
        "machine CPU 95.0 % (before: 40.0 %): service 90.0 %," + " other processes 5.0 %",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.CPU_SATURATION));
    assertEquals(1, explains(finding, Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE), 1e-9);
    assertTrue(refutes(finding, Hypothesis.HOST_CPU_CONTENTION));
    assertEquals(0, explains(finding, Hypothesis.HOST_CPU_CONTENTION, Effect.CPU_QUEUE));
  }

  @Test
  void readingsOfThreadsThatAddUpToMoreThanTheMachineAreSaidToBeReadings() {
    // 200 threads are read one after the other, which takes a second on full cores.
    Finding finding =
        only(
            rule,
            incident()
                .cpus(2)
                .cpu(30, 0.3, 0.4)
                .cpu(90, 0.91, 0.98)
                .sample(
                    new ThreadGroupCpu(
                        IncidentBuilder.at(90),
                        Duration.ofSeconds(10),
                        "http-nio-*-exec-*",
                        ThreadGroupCpu.Kind.REQUEST,
                        200,
                        1.115)));
    assertTrue(
        finding
            .arithmetic()
            .contains(
                "all of the machine (readings add up to 111.5 %): 200 threads http-nio-*-exec-*"),
        finding::toString);
  }

  /**
   * P90 429 ms and P95 440 ms of a median of 25 ms: a part of the requests takes one time, as of a
   * timeout. Waiting for CPU has no such plateau: 429 and 610 ms.
   */
  @Test
  void requestsThatAllTakeOneLongTimeDoNotWaitForCpu() {
    assertFalse(supports(filledByOthers(440), Hypothesis.HOST_CPU_CONTENTION));
    assertTrue(supports(filledByOthers(610), Hypothesis.HOST_CPU_CONTENTION));
  }

  private Finding filledByOthers(double p95) {
    RequestStats stats =
        new RequestStats.Builder("k6", new Source("k6.json", ""))
            .percentile(50, millis(25))
            .percentile(90, millis(429))
            .percentile(95, millis(p95))
            .build();
    return only(rule, incident().loadTest(stats).cpu(30, 0.25, 0.30).cpu(90, 0.25, 0.95));
  }

  /** 20 % service and 19 % collector of 45 %: the rest of 25 % would hide the collector. */
  @Test
  void aRestLargerThanWhatIsNamedIsNamed() {
    IncidentBuilder incident = incident().cpus(2);
    for (int second = 65; second < 120; second += 10) {
      incident.cpu(second, 0.39, 0.45);
    }
    // 0.38 of two cores x 60 s = 22.8 s of the collector.
    Finding finding = only(rule, incident.collectorCpu(119, 22_800, 30_000));
    assertEquals(
        "CPU 45.0 % (20.0 % service + 19.0 % collector + 6.0 % rest): cores are free",
        finding.brief(Hypothesis.CPU_SATURATION));
  }

  @Test
  void aMachineFilledByOthersSpeaksForContentionOnly() {
    // The service stayed at 25 %; others grew from 5 % to 70 %.
    Finding finding = only(rule, incident().cpu(30, 0.25, 0.30).cpu(90, 0.25, 0.95));
    assertEquals(1, explains(finding, Hypothesis.HOST_CPU_CONTENTION, Effect.CPU_QUEUE), 1e-9);
    assertTrue(supports(finding, Hypothesis.HOST_CPU_CONTENTION));
    assertFalse(supports(finding, Hypothesis.CPU_SATURATION));
  }

  @Test
  void aServiceThatFillsTheFewCpusItMayUseIsSaturatedOnAMachineWithRoom() {
    // One CPU of eight: 12 % of the machine are 96 % of it. Others use 1.6 CPUs; seven can hold
    // them.
    Finding finding =
        only(
            rule,
            incident()
                .sample(new HardwareThreads(IncidentBuilder.at(0), 8))
                .cpus(1)
                .cpu(30, 0.05, 0.25)
                .cpu(90, 0.12, 0.32));
    assertEquals(
        "CPU (1 of 8) 96.0 % (before: 40.0 % to 100.0 %): service 96.0 %, other processes 0.0 % to 4.0 %",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE), 1e-9);
    assertTrue(refutes(finding, Hypothesis.HOST_CPU_CONTENTION));
  }

  @Test
  void othersThatOtherCpusCanHoldAreNotSeenToDelayAConfinedService() {
    // One CPU of two, of which the service uses a fifth; others use one CPU, perhaps the other one.
    Finding finding =
        only(
            rule,
            incident()
                .sample(new HardwareThreads(IncidentBuilder.at(0), 2))
                .cpus(1)
                .cpu(30, 0.1, 0.2)
                .cpu(90, 0.1, 0.6));
    assertEquals(0, explains(finding, Hypothesis.HOST_CPU_CONTENTION, Effect.CPU_QUEUE));
    assertFalse(refutes(finding, Hypothesis.HOST_CPU_CONTENTION));
    // It may as well be full: saturation is not refuted.
    assertFalse(refutes(finding, Hypothesis.CPU_SATURATION));
  }

  @Test
  void workOfTheCollectorIsHandedToThePauses() {
    // Four cores: 120 s of CPU time in pauses of 240 s = 50 % of the machine. Service: 90 - 50 =
    // 40 % as before. All of the growth is the collector's.
    IncidentBuilder builder = incident().cpus(4).cpu(30, 0.40, 0.42).cpu(90, 0.90, 0.92);
    for (int i = 0; i < 60; i++) {
      builder.collectorCpu(60 + i, 2_000, 500);
    }
    Finding finding = only(rule, builder);
    assertEquals(0.5, value(finding, "collector"), 1e-9);
    assertEquals(1, passes(finding, Effect.CPU_QUEUE, Effect.STOPPED), 1e-9);
    assertFalse(supports(finding, Hypothesis.CPU_SATURATION));
  }

  @Test
  void othersThatHadMoreOfAFullMachineBeforeAreNotWhatChanged() {
    // Others: 97 % of a full machine before, 68 % now. Two cores: 31.2 s of CPU time in pauses of
    // 120 s (two cores, a minute) = 26 %, the service 6 %, both 3 % together before: 29 points
    // more, 26 of the collector.
    IncidentBuilder builder = incident().cpus(2).cpu(30, 0.03, 1).cpu(90, 0.32, 1);
    for (int i = 0; i < 60; i++) {
      builder.collectorCpu(60 + i, 520, 900);
    }
    Finding finding = only(rule, builder);
    assertEquals(0.26, value(finding, "collector"), 1e-9);
    assertEquals(0, explains(finding, Hypothesis.HOST_CPU_CONTENTION, Effect.CPU_QUEUE), 1e-9);
    assertEquals(26 / 29.0, passes(finding, Effect.CPU_QUEUE, Effect.STOPPED), 1e-9);
    assertTrue(weakens(finding, Hypothesis.HOST_CPU_CONTENTION));
  }

  @Test
  void aServiceThatHasATwentiethOfAFullMachineDoesNotFillIt() {
    // It has three times as much as before: 3 % of what others had 99 and have 97 % of.
    Finding finding = only(rule, incident().cpus(2).cpu(30, 0.01, 1).cpu(90, 0.03, 1));
    assertEquals(0, explains(finding, Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE));
    assertFalse(supports(finding, Hypothesis.CPU_SATURATION));
  }

  @Test
  void someFullSecondsBeforeDoNotHideWhoseShareGrew() {
    // Before: full in 15 s of 60, 80 % on average, of which the service has 28 points. Now 98 %, of
    // which it has 41: it took 13 points more, others 5.
    IncidentBuilder builder = incident();
    for (int i = 0; i < 60; i++) {
      builder.cpu(i, 0.28, i < 15 ? 0.95 : 0.75);
      builder.cpu(60 + i, 0.41, 0.98);
    }
    Finding finding = only(rule, builder);
    assertEquals(13 / 18.0, explains(finding, Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE), 1e-9);
    assertEquals(
        5 / 18.0, explains(finding, Hypothesis.HOST_CPU_CONTENTION, Effect.CPU_QUEUE), 1e-9);
  }

  @Test
  void secondsInWhichTheCoresAreFullCountWhereTheWindowIsEverything() {
    // 20 s of 95 % (service 90 %) among 40 s of 30 % (service 20 %), and no baseline: others grow
    // from
    // 10 % to 5 %, the service from 20 % to 90 %.
    IncidentBuilder builder = incident().withoutBaseline();
    for (int i = 0; i < 60; i++) {
      boolean full = i >= 20 && i < 40;
      builder.cpu(60 + i, full ? 0.90 : 0.20, full ? 0.95 : 0.30);
    }
    Finding finding = only(rule, builder);
    assertTrue(
        finding
            .statement()
            .startsWith("machine CPU 95.0 % in 33.3 % of the seconds (otherwise: 30.0 %)"),
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE), 1e-9);
  }

  @Test
  void theHotMethodsAndThreadsAreNamed() {
    // 30 of 40 samples in the pattern matcher below notes.Notes.trim, 10 in notes.Notes.read.
    CpuProfile.Builder profile = new CpuProfile.Builder().period(Duration.ofMillis(20));
    for (int i = 0; i < 40; i++) {
      boolean matching = i < 30;
      profile.add(
          IncidentBuilder.at(70 + i),
          new CodeSite(
              matching ? "java.util.regex.Pattern.match" : "notes.Notes.read",
              matching ? "notes.Notes.trim" : "notes.Notes.read",
              true,
              false),
          Set.of(matching ? "notes.Notes.trim" : "notes.Notes.read", "notes.Notes.show"),
          false,
          false);
    }
    Finding finding =
        only(
            rule,
            incident()
                .cpu(30, 0.38, 0.40)
                .cpu(90, 0.90, 0.95)
                .profile(profile.build())
                .sample(
                    new ThreadGroupCpu(
                        IncidentBuilder.at(100),
                        Duration.ofSeconds(10),
                        "http-nio-*-exec-*",
                        ThreadGroupCpu.Kind.REQUEST,
                        20,
                        0.9)));
    assertEquals(
        "machine CPU 95.0 % (before: 40.0 %): service 90.0 %, other processes"
            + " 5.0 %; 100.0 % of the samples are in or below notes.Notes.show",
        finding.statement());
    assertEquals(
        List.of(
            "40 samples of threads executing Java code, 100.0 % of them on request threads",
            "90.0 % of the machine: 20 threads http-nio-*-exec-*"),
        finding.arithmetic());
  }

  @Test
  void roomOnTheCoresRulesSaturationOut() {
    Finding finding = only(rule, incident().cpu(90, 0.45, 0.50));
    assertTrue(refutes(finding, Hypothesis.CPU_SATURATION));
    assertTrue(refutes(finding, Hypothesis.HOST_CPU_CONTENTION));
  }

  @Test
  void tenBusyReadingsInARowKeepAMeanFromClearingTheCores() {
    // Ten readings of 80 % among fifty of 40 %: the mean is 47 %, the worst stretch 80 %.
    IncidentBuilder builder = incident();
    for (int i = 0; i < 60; i++) {
      builder.cpu(60 + i, 0.3, i >= 20 && i < 30 ? 0.8 : 0.4);
    }
    Finding finding = only(rule, builder);
    assertFalse(refutes(finding, Hypothesis.CPU_SATURATION));
    assertTrue(weakens(finding, Hypothesis.CPU_SATURATION));
  }

  @Test
  void aMachineThatIsBusyAndNotFullOnlyWeakensSaturation() {
    Finding finding = only(rule, incident().cpu(90, 0.75, 0.80));
    assertTrue(weakens(finding, Hypothesis.CPU_SATURATION));
    assertFalse(refutes(finding, Hypothesis.CPU_SATURATION));
  }

  @Test
  void neighboursThatWereAsBusyBeforeWeakenContention() {
    // Others: 40 % before, 40 % during.
    Finding finding = only(rule, incident().cpu(30, 0.10, 0.50).cpu(90, 0.20, 0.60));
    assertTrue(weakens(finding, Hypothesis.HOST_CPU_CONTENTION));
  }

  @Test
  void withoutALoadInTheIncidentThereIsNothingToSay() {
    assertSilent(rule, incident().cpu(30, 0.5, 0.5));
  }

  /** One reading decides two causes: by what is free, and by what others use of it. */
  @Test
  void theShortFormSaysWhatTheFigureMeansForEachCause() {
    IncidentBuilder incident = incident();
    for (int second = 5; second < 120; second += 10) {
      incident.cpu(second, 0.25, 0.3);
    }
    Finding finding = only(rule, incident);
    assertEquals(
        "CPU 30.0 % -> 30.0 % (25.0 % service + 5.0 % rest): cores are free",
        finding.brief(Hypothesis.CPU_SATURATION));
    assertEquals(
        "other processes use only 5.0 % of the CPU", finding.brief(Hypothesis.HOST_CPU_CONTENTION));
  }

  @Test
  void ofAJvmThatIsConfinedToSomeCpusAnIntervalIsPrintedAndNoCpuIsCalledFree() {
    IncidentBuilder incident = incident();
    for (int second = 5; second < 120; second += 10) {
      boolean before = second < 60;
      double most = before ? 0.9 : 0.999;
      incident
          .timeline()
          .cpu(new CpuLoad(at(second), before ? 0.126 : 0.187, 0, before ? 0.242 : 0.348, most));
    }
    Finding finding = only(rule, incident);
    // Others use 34.8 % - 18.7 % = 16.1 % at least and 99.9 % - 18.7 % = 81.2 % at most.
    assertEquals(
        "CPU 24.2 % to 90.0 % -> 34.8 % to 99.9 % (18.7 % of this JVM + 16.1 % to 81.2 % of other"
            + " processes)",
        finding.brief(Hypothesis.CPU_SATURATION));
    assertEquals(
        "other processes use 11.6 % to 77.4 % -> 16.1 % to 81.2 % of the CPU",
        finding.brief(Hypothesis.HOST_CPU_CONTENTION));
  }

  /** 0.42 of four CPUs before; then 0.95 of as many as are given. */
  private static Finding given(int cpus, double perSecond) {
    IncidentBuilder incident = metered(incident()).requests(100, (int) perSecond, 50, 900);
    incident
        .timeline()
        .metric(
            MeterSketch.gauge(
                "system_cpu_count",
                MetricMeaning.CPUS,
                4,
                4,
                4,
                4,
                4,
                4,
                cpus,
                cpus,
                cpus,
                cpus,
                cpus,
                cpus));
    for (int scrape = 0; scrape < 12; scrape++) {
      double own = scrape < 6 ? 0.42 : 0.95;
      incident.cpu(10 * scrape, own, own);
    }
    return only(new CpuLoadRule(), incident);
  }

  @Test
  void fewerCpusThanBeforeAreTheLimitOfTheContainer() {
    Finding cut = given(1, 57);
    assertTrue(explains(cut, Hypothesis.CPU_THROTTLING, Effect.CPU_QUEUE) > 0.9);
    assertEquals(0, explains(cut, Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE), 1e-9);
    assertTrue(
        cut.arithmetic().contains("the process may use 1 CPU, 4 before"),
        () -> cut.arithmetic().toString());
    assertTrue(explains(given(4, 100), Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE) > 0.9);
  }

  private static IncidentBuilder waiting(double share) {
    IncidentBuilder incident = incident();
    incident
        .timeline()
        .metric(
            MeterSketch.gauge(
                "node_pressure_cpu_waiting_ratio",
                MetricMeaning.CPU_WAITING,
                0,
                0,
                0,
                0,
                0,
                0,
                share,
                share,
                share,
                share));
    return incident;
  }

  @Test
  void threadsThatWaitForACpuMostOfTheTimeAreALeadAndHardlyEverAreEvidenceAgainst() {
    Finding full = only(new CpuLoadRule(), waiting(0.9));
    assertEquals(
        "some thread waits for a CPU 90.0 % of the time; these files do not say for whose work",
        full.statement());
    assertTrue(supports(full, Hypothesis.CPU_SATURATION));
    assertTrue(supports(full, Hypothesis.HOST_CPU_CONTENTION));
    Finding free = only(new CpuLoadRule(), waiting(0.01));
    assertTrue(weakens(free, Hypothesis.CPU_SATURATION));
    assertTrue(weakens(free, Hypothesis.HOST_CPU_CONTENTION));
  }
}
