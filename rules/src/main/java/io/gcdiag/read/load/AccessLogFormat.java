package io.gcdiag.read.load;

import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.RequestStats.FailedStatus;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.read.bytes.ContainerLine;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.Line;
import io.gcdiag.read.bytes.LineFeed;
import io.gcdiag.read.bytes.LineSource;
import io.gcdiag.read.metrics.MetricCollector;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
        lines.subList(0, whole).stream()
            .filter(line -> !line.isBlank())
            .map(ContainerLine::unwrap)
            .map(Line::of)
            .toList();
    return !first.isEmpty() && AccessGrammar.recognises(first);
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    AccessGrammar grammar;
    try {
      grammar = AccessGrammar.of(sample(file, intake), hints(intake));
    } catch (AccessDuration.MissingException e) {
      return e.outcome();
    }
    AccessRequests requests = new AccessRequests(grammar, intake.timeline().datedSpan());
    String lost;
    try (InputStream in = intake.open(file);
        LineFeed lines = new LineFeed(new LineSource(in))) {
      if (grammar.needsOrder()) {
        requests.readInOrder(lines);
      } else {
        lines.share(requests::lane);
      }
      lost = lines.damage().orElse("");
    }
    if (requests.recorder().requests() == 0) {
      throw new IOException("no request with a time and a duration that can be read");
    }
    intake.shared(Logs.class, () -> new Logs(intake)).add(file.name(), requests);
    if (requests.damaged > 0) {
      String lines = Numbers.count(requests.damaged) + " lines could not be read";
      lost = lost.isEmpty() ? lines : lost + "; " + lines;
    }
    return lost.isEmpty() ? grammar.outcome() : Outcome.partial(lost);
  }

  /**
   * The logs of a case. Those that follow each other are the parts of one that was rotated; two of
   * the same time are of two servers.
   */
  private static final class Logs {

    /** Requests in progress while a log is rotated are in both parts by their start. */
    private static final double OVERLAP = 0.1;

    private record Part(String file, AccessRequests requests) {
      Window span() {
        return requests.recorder().sent();
      }
    }

    private final List<Part> parts = new ArrayList<>();

    Logs(IngestContext intake) {
      intake.afterRecordings(any -> into(intake));
    }

    void add(String file, AccessRequests requests) {
      parts.add(new Part(file, requests));
    }

    private void into(IngestContext intake) {
      parts.sort(Comparator.comparing((Part part) -> part.span().from()).thenComparing(Part::file));
      // A load generator's view is that of users; beside it a log is the server's view.
      boolean alone = intake.timeline().requestStats().isEmpty();
      List<Part> joined = new ArrayList<>();
      for (Part part : parts) {
        if (!joined.isEmpty() && !follows(part, joined.get(joined.size() - 1))) {
          add(joined, intake, alone);
          joined.clear();
        }
        joined.add(part);
      }
      add(joined, intake, alone);
    }

    private static boolean follows(Part later, Part earlier) {
      Duration shared = later.span().overlap(earlier.span().from(), earlier.span().length());
      double shorter = Math.min(later.span().seconds(), earlier.span().seconds()) * OVERLAP + 1;
      return later.requests().producer().equals(earlier.requests().producer())
          && Durations.seconds(shared) <= shorter;
    }

    private static void add(List<Part> parts, IngestContext intake, boolean alone) {
      Part first = parts.get(0);
      RunRecorder all = first.requests().recorder();
      RunRecorder served = first.requests().served();
      parts.stream()
          .skip(1)
          .forEach(
              part -> {
                all.addAll(part.requests().recorder());
                served.addAll(part.requests().served());
              });
      String others = parts.stream().skip(1).map(Part::file).collect(Collectors.joining(", "));
      Source source =
          new Source(first.file(), others.isEmpty() ? "requests" : "requests, with " + others);
      String producer = first.requests().producer();
      RequestStats.Builder stats = new RequestStats.Builder(producer, source).failed(all.failed());
      LoadRun run;
      try {
        run = all.run(producer, stats, source);
      } catch (IOException e) {
        // A part without requests was refused.
        throw new UncheckedIOException(e);
      }
      TimelineBuilder timeline = intake.timeline();
      if (alone && run.series().filter(series -> missesStops(series, timeline)).isPresent()) {
        intake.note(
            first.file()
                + ": requests that came during GC pauses are as fast there as others, so the server"
                + " measures from after the pause; its latencies are not used");
        return;
      }
      if (alone) {
        timeline.requestStats(run.stats());
      }
      run.series()
          .map(series -> series.withEndpoints(intake.redactor()::redact))
          .ifPresent(timeline::requestSeries);
      if (all.totalSeconds() >= Policy.CLEARLY_MORE * served.totalSeconds()
          && served.requests() >= Policy.COVERED * all.requests()) {
        // A source of its own: the log has what its proxy and what the server behind it measured.
        timeline.requestSeries(
            served.series(producer, new Source(first.file() + " (upstream)", "requests")));
      }
      mostFailures(parts).ifPresent(timeline::sample);
      timeline.signal(Signal.REQUEST_STATS, SignalState.SEEN);
    }

    private static Optional<FailedStatus> mostFailures(List<Part> parts) {
      Map<Integer, Long> all = new TreeMap<>();
      parts.forEach(
          part -> part.requests().failures.forEach((status, n) -> all.merge(status, n, Long::sum)));
      return all.entrySet().stream()
          .filter(one -> one.getKey() != AccessEntry.NO_STATUS)
          .max(Map.Entry.comparingByValue())
          .map(
              one ->
                  new FailedStatus(
                      parts.get(0).span().from(),
                      one.getKey(),
                      new Ratio(one.getValue() / all.values().stream().mapToDouble(n -> n).sum())));
    }
  }

  /**
   * Whether the server begins to measure only after a request has waited for a pause to end, as
   * those do that measure from when they have parsed it. Requests arrive at any time, so a share of
   * them as large as that of the time stopped waits for half a pause on average (pauses weighted by
   * their length); hardly any of these has even half of that in the log.
   */
  private static boolean missesStops(RequestSeries series, TimelineBuilder timeline) {
    Window span = series.span().orElseThrow();
    Latencies latencies = series.within(span).latencies();
    for (Pauses pauses : timeline.pauses()) {
      double sum = 0;
      double squares = 0;
      for (GcPause pause : pauses.within(span)) {
        double seconds = Durations.seconds(pause.duration());
        sum += seconds;
        squares += seconds * seconds;
      }
      double meeting = latencies.count() * sum / span.seconds();
      Duration half = Durations.ofSeconds(sum > 0 ? squares / sum / 4 : 0);
      if (meeting >= Policy.FEWEST_FOR_A_MEAN
          && latencies.from(half).count() < Policy.SUBSTANTIAL * meeting) {
        return true;
      }
    }
    return false;
  }

  /** Load tests and traces are read before, in the order of {@code Formats}. */
  private static AccessDuration.Hints hints(IngestContext intake) {
    TimelineBuilder known = intake.timeline();
    return new AccessDuration.Hints(
        intake.options().meanings(),
        Stream.concat(
                known.requestStats().stream().flatMap(stats -> stats.mean().stream()),
                means(
                    Stream.concat(
                        known.requestSeries().stream(),
                        MetricCollector.of(intake).requests().stream())))
            .mapToDouble(Durations::seconds)
            .toArray(),
        means(
                known.requestSeries().stream()
                    .filter(series -> series.holds() == RequestSeries.Holds.EACH_ANSWERED))
            .mapToDouble(Durations::seconds)
            .toArray(),
        Numbers.of(intake.clocks().jvmStart(), start -> start.toEpochMilli() / 1e3));
  }

  private static Stream<Duration> means(Stream<RequestSeries> all) {
    return all.flatMap(
        series -> series.span().flatMap(span -> series.within(span).latencies().mean()).stream());
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
   * its end or that of its start. Lines in the order of their ends show which one it is.
   */
  private static final class AccessRequests {

    /** From this length on the start is another second than the end. */
    private static final long SLOW = 1_000_000_000L;

    /** Stamps in whole seconds are early by less than one; lines are written soon after the end. */
    private static final long UNSHARP = 3 * SLOW / 2;

    /** Stamps in whole seconds are half a second early on average. */
    private static final long HALF = SLOW / 2;

    /** Before and after what was recorded: enough for a baseline, and for two hours of seconds. */
    private static final Duration AROUND = Duration.ofMinutes(10);

    private final AccessGrammar grammar;
    private final long from;
    private final long to;

    /** To be filled again. */
    private final Queue<Block> counted = new ConcurrentLinkedQueue<>();

    private final Map<Integer, Long> failures = new TreeMap<>();

    private final Ends ends = new Ends();

    /** The time of the same requests in the server behind the proxy that writes the log. */
    private final Ends served = new Ends();

    private long latestStamp;
    private long latestEnd;

    /** Lines that are not in order if their time is the end, and if it is the start. */
    private long noEnds;

    private long noStarts;
    private long damaged;
    private Optional<RunRecorder> all = Optional.empty();

    /** Used if there are no others; a reader of all files then says that they are elsewhere. */
    private final RunRecorder outside = new RunRecorder(false);

    /**
     * Without requests.
     *
     * @param recorded the time of which there is a recording; of a log of weeks the rest is of no
     *     use, and would take the resolution
     */
    AccessRequests(AccessGrammar grammar, Optional<Window> recorded) {
      this.grammar = grammar;
      from =
          recorded
              .map(span -> span.from().minus(AROUND).getEpochSecond() * SLOW)
              .orElse(Long.MIN_VALUE);
      to =
          recorded
              .map(span -> (span.to().plus(AROUND).getEpochSecond() + 1) * SLOW)
              .orElse(Long.MAX_VALUE);
    }

    String producer() {
      return grammar.producer();
    }

    /** For another thread. */
    Lane lane() {
      return new Lane(grammar.another());
    }

    /** By this thread alone. */
    void readInOrder(LineFeed lines) throws IOException {
      Lane lane = lane();
      while (lines.advance()) {
        lane.read(lines.line());
        lane.endOfBlock().run();
      }
    }

    /** What one thread reads. */
    private final class Lane implements LineFeed.Lane {
      private final AccessGrammar own;
      private final AccessEntry entry = new AccessEntry();
      private final EndpointNames names = new EndpointNames();
      private Block block = new Block();

      private Lane(AccessGrammar own) {
        this.own = own;
      }

      @Override
      public void read(Line line) {
        if (line.isBlank()) {
          return;
        }
        switch (own.read(line, entry)) {
          case REQUEST -> request();
          case DAMAGED -> block.damaged++;
          case NONE -> {
            // Nothing was asked of the service.
          }
        }
      }

      private void request() {
        if (entry.isLongConnection()) {
          return;
        }
        if (!RunRecorder.isPossible(entry.time.second())) {
          block.damaged++;
          return;
        }
        long stamp = entry.time.second() * SLOW + entry.time.nano();
        block.add(entry, stamp, stamp < from || stamp >= to ? "" : names.name(entry));
      }

      @Override
      public Runnable endOfBlock() {
        Block read = block;
        Block other = counted.poll();
        block = other == null ? new Block() : other;
        return () -> count(read);
      }
    }

    /** Requests in columns, read and not yet counted: whether a log has ends needs their order. */
    private static final class Block {
      private long[] stamps = {};
      private long[] latencies = {};
      private long[] served = {};
      private boolean[] whole = {};
      private int[] statuses = {};
      private String[] endpoints = {};
      private int size;
      private int damaged;

      void add(AccessEntry entry, long stamp, String endpoint) {
        if (size == stamps.length) {
          int most = 2 * size + 1;
          stamps = Arrays.copyOf(stamps, most);
          latencies = Arrays.copyOf(latencies, most);
          served = Arrays.copyOf(served, most);
          whole = Arrays.copyOf(whole, most);
          statuses = Arrays.copyOf(statuses, most);
          endpoints = Arrays.copyOf(endpoints, most);
        }
        stamps[size] = stamp;
        latencies[size] = entry.latency;
        served[size] = entry.served;
        whole[size] = entry.time.isWhole();
        statuses[size] = entry.status;
        endpoints[size++] = endpoint;
      }
    }

    private void count(Block block) {
      for (int i = 0; i < block.size; i++) {
        count(
            block.stamps[i],
            block.latencies[i],
            block.served[i],
            block.whole[i],
            block.statuses[i],
            block.endpoints[i]);
      }
      damaged += block.damaged;
      block.size = 0;
      block.damaged = 0;
      counted.add(block);
    }

    private void count(
        long stamp, long latency, long inServer, boolean whole, int status, String name) {
      boolean failed = AccessEntry.isFailure(status);
      if (stamp < from || stamp >= to) {
        outside.add(stamp, latency, failed, name, 1);
        return;
      }
      order(stamp, latency);
      if (failed) {
        failures.merge(status, 1L, Long::sum);
      }
      long[] starts = {stamp, (whole ? stamp + HALF : stamp) - latency};
      if (latency < SLOW && grammar.isStart().isEmpty()) {
        starts[0] = whole ? stamp : stamp - latency / 2;
        starts[1] = starts[0];
      }
      damaged += ends.add(starts, latency, failed, name) ? 0 : 1;
      if (inServer >= 0) {
        served.add(starts, inServer, failed, "");
      }
    }

    /** Requests by their start if the time of their lines is the start, and if it is the end. */
    private static final class Ends {

      /** Requests so short that it makes no difference. */
      private final RunRecorder all = new RunRecorder(false);

      private final RunRecorder byStart = new RunRecorder(false);
      private final RunRecorder byEnd = new RunRecorder(false);

      boolean add(long[] starts, long latency, boolean failed, String name) {
        if (starts[0] == starts[1]) {
          return all.add(starts[0], latency, failed, name, 1);
        }
        byStart.add(starts[0], latency, failed, name, 1);
        return byEnd.add(starts[1], latency, failed, name, 1);
      }

      RunRecorder merged(boolean start) {
        all.addAll(start ? byStart : byEnd);
        return all;
      }
    }

    /**
     * Lines are written in the order of the ends: a line out of order shows whether its time is
     * that of the start or the end.
     */
    private void order(long stamp, long latency) {
      noEnds += stamp < latestStamp - UNSHARP ? 1 : 0;
      noStarts += stamp + latency < latestEnd - UNSHARP ? 1 : 0;
      latestStamp = Math.max(latestStamp, stamp);
      latestEnd = Math.max(latestEnd, stamp + latency);
    }

    RunRecorder recorder() {
      if (all.isEmpty()) {
        boolean start = grammar.isStart().orElse(noEnds > noStarts);
        RunRecorder inside = ends.merged(start);
        served.merged(start);
        all = Optional.of(inside.requests() == 0 ? outside : inside);
      }
      return all.get();
    }

    /** What the server took for them; empty where the log has no such time. */
    RunRecorder served() {
      recorder();
      return served.all;
    }
  }

  /** Names of endpoints, of which a log has few and its lines many. */
  private static final class EndpointNames {

    /** From this length on, a part of a path with a digit is a value. */
    private static final int LONG_VALUE = 16;

    /** Longer paths are cut; a name is shorter. */
    private static final int LONGEST = 1_000;

    /** A service has some hundred endpoints, if values in paths are left out. */
    private static final int SLOT_BITS = 12;

    private static final byte[] VALUE = {'{', 'i', 'd', '}'};

    private static final byte DIGIT = 1;
    private static final byte ENDS_PART = 2;
    private static final byte ENDS_PATH = 3;

    /** What a byte is; asked of each byte of each path. */
    private static final byte[] KINDS = new byte[1 << Byte.SIZE];

    static {
      Arrays.fill(KINDS, '0', '9' + 1, DIGIT);
      KINDS['/'] = ENDS_PART;
      "?#; ".chars().forEach(c -> KINDS[c] = ENDS_PATH);
    }

    private final String[] known = new String[1 << SLOT_BITS];
    private final byte[][] texts = new byte[1 << SLOT_BITS][];

    /** Method and path; a value of one digit gets longer. */
    private final byte[] folded = new byte[4 * LONGEST];

    /** The name, without query and with numbers in the path left out. */
    String name(AccessEntry entry) {
      Line text = entry.text;
      int length = 0;
      int method = Math.min(entry.methodTo, entry.methodFrom + LONGEST);
      for (int at = entry.methodFrom; at <= method && method > entry.methodFrom; at++) {
        folded[length++] = (byte) (at < method ? text.charAt(at) : ' ');
      }
      int part = length;
      int digits = 0;
      int end = Math.min(entry.pathTo, entry.pathFrom + LONGEST);
      for (int at = entry.pathFrom; ; at++) {
        char c = at < end ? text.charAt(at) : '?';
        int kind = KINDS[c];
        boolean ends = kind >= ENDS_PART;
        if (ends && digits > 0 && (digits == length - part || length - part >= LONG_VALUE)) {
          length = part;
          for (byte one : VALUE) {
            folded[length++] = one;
          }
        }
        if (kind == ENDS_PATH) {
          return known(length);
        }
        folded[length++] = (byte) c;
        digits = ends ? 0 : digits + (kind == DIGIT ? 1 : 0);
        part = ends ? length : part;
      }
    }

    /** The same name as the last time if its slot was not taken by another one. */
    private String known(int length) {
      int slot = Line.slot(Line.hash(folded, length), SLOT_BITS);
      byte[] text = texts[slot];
      if (text == null || !Arrays.equals(text, 0, text.length, folded, 0, length)) {
        texts[slot] = Arrays.copyOf(folded, length);
        known[slot] = new String(folded, 0, length, StandardCharsets.ISO_8859_1);
      }
      return known[slot];
    }
  }
}
