package io.gcdiag.read.load;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.Line;
import io.gcdiag.read.bytes.LineSource;
import io.gcdiag.units.Numbers;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Access logs of servers and proxies whose lines have the duration of the request. */
public final class AccessLogFormat extends InputFormat {

  /** The lines of the file's beginning that show whether it is one. */
  private static final int RECOGNISED_BY = 50;

  /** Places and units are learned from as many lines: some megabytes. */
  private static final int LEARNED_FROM = 20_000;

  public AccessLogFormat() {
    super(
        "access-log",
        LoadFormat.KIND,
        "an access log with the duration of each request (nginx, Tomcat, Apache httpd, Envoy, ...)");
  }

  @Override
  public boolean recognises(FileHead head) {
    if (!head.isText()) {
      return false;
    }
    List<String> lines = head.text().lines().limit(RECOGNISED_BY + 1).toList();
    // The last line may be cut.
    int whole = lines.size() > 1 ? lines.size() - 1 : lines.size();
    List<Line> first =
        lines.subList(0, whole).stream().filter(line -> !line.isBlank()).map(Line::of).toList();
    return !first.isEmpty() && AccessGrammar.recognises(first);
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    AccessGrammar grammar = AccessGrammar.of(sample(file, intake), intake.options().meanings());
    AccessRequests requests = new AccessRequests(grammar);
    String lost;
    try (InputStream in = intake.open(file)) {
      LineSource lines = new LineSource(in);
      while (lines.advance()) {
        requests.add(lines.line());
      }
      lost = lines.damage().orElse("");
    }
    Source source = new Source(file.name(), "requests");
    RequestStats.Builder stats = new RequestStats.Builder(grammar.producer(), source);
    stats.failed(requests.recorder().failed());
    LoadRun run = requests.recorder().run(grammar.producer(), stats, source);
    TimelineBuilder timeline = intake.timeline();
    timeline.requestStats(run.stats());
    run.series()
        .map(series -> series.withEndpoints(intake.redactor()::redact))
        .ifPresent(timeline::requestSeries);
    timeline.signal(Signal.REQUEST_STATS, SignalState.SEEN);
    if (requests.damaged() > 0) {
      String lines = Numbers.count(requests.damaged()) + " lines could not be read";
      lost = lost.isEmpty() ? lines : lost + "; " + lines;
    }
    return lost.isEmpty() ? Outcome.COMPLETE : Outcome.partial(lost);
  }

  private static List<Line> sample(InputFile file, IngestContext intake) throws IOException {
    List<Line> sample = new ArrayList<>();
    try (InputStream in = intake.open(file)) {
      LineSource lines = new LineSource(in);
      while (sample.size() < LEARNED_FROM && lines.advance()) {
        if (!lines.line().isBlank()) {
          Line copy = new Line();
          copy.copy(lines.line());
          sample.add(copy);
        }
      }
    }
    return sample;
  }

  /**
   * The requests of a log. Servers write a line when a request has ended, and into it the time of
   * its end or that of its start. Which one shows in slow requests: the lines beside them say when
   * it was written.
   */
  private static final class AccessRequests {

    /** From this length on the start is another second than the end. */
    private static final long SLOW = 1_000_000_000L;

    /** From this length on the two are clearly apart although stamps are whole seconds. */
    private static final long TELLING = 3 * SLOW;

    /** Stamps in whole seconds are half a second early on average. */
    private static final long HALF = SLOW / 2;

    private final AccessGrammar grammar;
    private final AccessEntry entry = new AccessEntry();
    private final EndpointNames names = new EndpointNames();

    /** Requests so short that it makes no difference. */
    private final RunRecorder all = new RunRecorder(false);

    private final RunRecorder slowByStart = new RunRecorder(false);
    private final RunRecorder slowByEnd = new RunRecorder(false);
    private long now = Long.MIN_VALUE;
    private long starts;
    private long ends;
    private long damaged;
    private boolean merged;

    AccessRequests(AccessGrammar grammar) {
      this.grammar = grammar;
    }

    void add(Line line) {
      if (line.isBlank()) {
        return;
      }
      switch (grammar.read(line, entry)) {
        case REQUEST -> request();
        case DAMAGED -> damaged++;
        case NONE -> {
          // Nothing was asked of the service.
        }
      }
    }

    private void request() {
      if (entry.isLongConnection()) {
        return;
      }
      Instant stamp = Instant.ofEpochSecond(entry.time.second(), entry.time.nano());
      Duration latency = Duration.ofNanos(entry.latency);
      boolean failed = entry.hasFailed();
      String name = names.name(entry);
      Instant end = entry.time.isWhole() ? stamp.plusNanos(HALF) : stamp;
      if (entry.latency < SLOW && grammar.isStart().isEmpty()) {
        now = entry.time.second();
        Instant start = entry.time.isWhole() ? stamp : stamp.minusNanos(entry.latency / 2);
        count(all.add(start, latency, failed, name));
        return;
      }
      if (now != Long.MIN_VALUE && entry.latency >= TELLING) {
        long seconds = entry.latency / SLOW;
        long asEnd = Math.abs(now - entry.time.second());
        long asStart = Math.abs(now - entry.time.second() - seconds);
        ends += asEnd < asStart ? 1 : 0;
        starts += asStart < asEnd ? 1 : 0;
      }
      slowByStart.add(stamp, latency, failed, name);
      count(slowByEnd.add(end.minusNanos(entry.latency), latency, failed, name));
    }

    private void count(boolean added) {
      damaged += added ? 0 : 1;
    }

    long damaged() {
      return damaged;
    }

    RunRecorder recorder() {
      if (!merged) {
        merged = true;
        boolean start = grammar.isStart().orElse(starts > ends);
        all.addAll(start ? slowByStart : slowByEnd);
      }
      return all;
    }
  }

  /** Names of endpoints, of which a log has few and its lines many. */
  private static final class EndpointNames {

    /** From this length on, a part of a path with a digit is a value. */
    private static final int LONG_VALUE = 16;

    /** More names than any service has, if values in paths are left out. */
    private static final int MOST = 10_000;

    private final Map<String, String> known = new HashMap<>();
    private final StringBuilder folded = new StringBuilder();

    /** The name, without query and with numbers in the path left out. */
    String name(AccessEntry entry) {
      folded.setLength(0);
      folded.append(entry.text, entry.methodFrom, entry.methodTo);
      if (!folded.isEmpty()) {
        folded.append(' ');
      }
      int at = entry.pathFrom;
      while (at < entry.pathTo && isPath(entry.text.charAt(at))) {
        int start = at;
        boolean digits = true;
        boolean digit = false;
        do {
          char c = entry.text.charAt(at);
          boolean one = c >= '0' && c <= '9';
          digits &= one || at == start && c == '/';
          digit |= one;
          at++;
        } while (at < entry.pathTo
            && isPath(entry.text.charAt(at))
            && entry.text.charAt(at) != '/');
        if (digit && (digits || at - start > LONG_VALUE)) {
          folded.append(entry.text.charAt(start) == '/' ? "/{id}" : "{id}");
        } else {
          folded.append(entry.text, start, at);
        }
      }
      String name = folded.toString();
      String same = known.putIfAbsent(name, name);
      if (known.size() > MOST) {
        known.clear();
      }
      return same == null ? name : same;
    }

    private static boolean isPath(char c) {
      return c != '?' && c != '#' && c != ';';
    }
  }
}
