package io.gcdiag.read.text;

import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.ClockAlignment;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.LineSource;
import io.gcdiag.read.bytes.TimeText;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.metrics.MetricCollector;
import io.gcdiag.units.Numbers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Logs of applications and of the kernel. Only a few kinds of messages are read: pool statistics,
 * timeouts, memory errors, blocked threads.
 */
public final class AppLogFormat extends InputFormat {

  public AppLogFormat() {
    super("app-log", "an application's log with messages on pools, memory or blocked threads");
  }

  @Override
  public boolean recognises(FileHead head) {
    try (InputStream in =
        new ByteArrayInputStream(head.text().getBytes(StandardCharsets.ISO_8859_1))) {
      return !AppLogText.read(new LineSource(in)).entries().isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public List<String> marks() {
    return LogMessage.MARKS;
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    AppLogText text;
    Optional<String> damage;
    try (InputStream in = file.bytes().open()) {
      LineSource lines = new LineSource(in);
      text = AppLogText.read(lines);
      damage = lines.damage();
    }
    intake.afterLogs(clocks -> place(file, text, clocks, intake));
    if (text.leftOut() > 0) {
      intake.note(
          ("%s: of its messages on pools, memory and threads the first %s are used, %s"
                  + " more are not")
              .formatted(
                  file.name(), Numbers.count(AppLogText.MOST), Numbers.count(text.leftOut())));
    }
    if (text.undated() > 0) {
      intake.note(
          "%s: %s messages on pools, memory and threads have no date and are left out"
              .formatted(file.name(), Numbers.count(text.undated())));
    }
    return damage.map(Outcome::partial).orElse(Outcome.COMPLETE);
  }

  private static void place(
      InputFile file, AppLogText text, ClockAlignment clocks, IngestContext intake) {
    Counted timeouts = new Counted();
    noteDays(file, text, clocks);
    for (AppLogText.Entry entry : text.entries()) {
      at(file, text, entry, clocks)
          .ifPresent(
              at -> {
                Source source = Source.line(file.name(), entry.line());
                entry.stats().ifPresent(stats -> meter(stats, at, source, intake));
                entry
                    .message()
                    .ifPresent(
                        message -> {
                          if (message.kind() == LoggedError.Kind.POOL_TIMEOUT) {
                            timeouts.add(message.subject(), at, source, intake);
                          }
                          intake.timeline().sample(error(message, entry, at, source, intake));
                        });
              });
    }
  }

  private static void noteDays(InputFile file, AppLogText text, ClockAlignment clocks) {
    List<LocalTime> times =
        text.entries().stream().flatMap(entry -> entry.clock().stream()).toList();
    long ofNoDay =
        text.severalDays()
            ? times.size()
            : times.stream().filter(clock -> clocks.ofClock(clock).isEmpty()).count();
    if (ofNoDay > 0) {
      clocks.note(
          file.name()
              + ": messages on pools, memory and threads without a date, of a time of the day that"
              + " fits several days, are left out: "
              + Numbers.count(ofNoDay));
    }
    if (ofNoDay < times.size()) {
      ZoneOffset zone = clocks.zoneOfClocks();
      clocks.note(
          file.name()
              + " states times of the day without a date; taken as of the day of the other inputs,"
              + " in UTC"
              + (zone.equals(ZoneOffset.UTC) ? "" : zone));
    }
  }

  /** Counts timeouts like HikariCP's own metrics do. */
  private static final class Counted {
    private final TreeMap<String, Integer> byPool = new TreeMap<>();

    void add(String pool, Instant at, Source source, IngestContext intake) {
      int count = byPool.merge(pool, 1, Integer::sum);
      series("hikaricp_connections_timeout_total", pool, at, count, source, intake);
    }
  }

  private static void meter(PoolStats stats, Instant at, Source source, IngestContext intake) {
    String pool = stats.pool();
    series("hikaricp_connections_active", pool, at, stats.active(), source, intake);
    series("hikaricp_connections_idle", pool, at, stats.idle(), source, intake);
    series("hikaricp_connections_pending", pool, at, stats.waiting(), source, intake);
    // Threads wait only if the pool has reached its maximum size.
    if (stats.waiting() > 0) {
      series("hikaricp_connections_max", pool, at, stats.total(), source, intake);
    }
  }

  private static void series(
      String name, String pool, Instant at, double value, Source source, IngestContext intake) {
    TreeMap<String, String> labels = new TreeMap<>();
    labels.put("pool", intake.redactor().redact(pool));
    MetricCollector.of(intake).add(name, labels, at, value, source);
  }

  private static LoggedError error(
      LogMessage message, AppLogText.Entry entry, Instant at, Source source, IngestContext intake) {
    int own = intake.frames().innermostOfApplication(entry.frames());
    StackKind stack = intake.frames().classify(entry.frames(), "", Optional.empty());
    // A stack in a log has no thread state: the thread waits if its innermost frame does.
    boolean waits = !entry.frames().isEmpty() && intake.frames().isWait(entry.frames().get(0));
    return new LoggedError(
        at,
        message.kind(),
        intake.redactor().redact(message.subject()),
        own < 0 ? "" : entry.frames().get(own),
        waits ? Optional.of(stack.waitsFor()) : Optional.empty(),
        source);
  }

  private static Optional<Instant> at(
      InputFile file, AppLogText text, AppLogText.Entry entry, ClockAlignment clocks) {
    TimeText time = entry.time();
    return time.instant()
        .or(() -> entry.clock().filter(clock -> !text.severalDays()).flatMap(clocks::ofClock))
        .or(() -> time.local().map(local -> clocks.ofLocal(file.name(), local)))
        // If nothing shows when the JVM started, GC logs are placed the same way.
        .or(() -> time.uptime().map(up -> clocks.jvmStart().orElse(Instant.EPOCH).plus(up)));
  }
}
