package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.gcdiag.cli.report.LittlesLawDocument.PoolQuestion.TargetWait;
import io.gcdiag.cli.report.Report.Section;
import io.gcdiag.queueing.ErlangC;
import io.gcdiag.queueing.LittlesLaw;
import io.gcdiag.queueing.StallImpact;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** How many connections a load needs, and what a pool and a pause make of it. */
public record LittlesLawDocument(PoolQuestion question) implements Printable {

  private static final double P99 = 0.99;

  /** Shares are printed with one decimal of a percent. */
  private static final double LEAST_SHOWN = 0.001;

  private static final double HALF = 0.5;

  @Override
  public JsonNode json() {
    return Json.document(
        new Document(
            new Asked(
                question.rate().perSecond(),
                question.hold(),
                question.holdIsBound(),
                question.pool(),
                question.pause(),
                question.target().map(TargetWait::limit),
                Numbers.of(question.target(), TargetWait::percentile),
                question.origins()),
            demand().concurrency(),
            question.pool().stream().mapToObj(this::pool).findFirst(),
            question.pause().map(any -> pause()),
            smallestPool()));
  }

  private record Document(
      Asked question,
      double connectionsNeeded,
      Optional<Pool> pool,
      Optional<Pause> pause,
      OptionalInt smallestPool) {}

  private record Asked(
      double arrivalsPerSecond,
      Duration holdSeconds,
      boolean holdIsUpperBound,
      OptionalInt poolSize,
      Optional<Duration> pauseSeconds,
      Optional<Duration> targetWaitSeconds,
      OptionalDouble targetPercentile,
      List<String> origins) {}

  private record Pool(
      boolean keepsUp,
      double utilisation,
      double servedPerSecondAtMost,
      double waitProbability,
      Optional<Duration> meanWaitSeconds,
      Optional<Duration> p99WaitSeconds) {}

  private Pool pool(int size) {
    ErlangC queue = queue(size);
    return new Pool(
        queue.isStable(),
        demand().utilisationOf(size),
        servedPerSecond(size),
        queue.waitProbability(),
        queue.meanWait(),
        queue.waitQuantile(P99));
  }

  private record Pause(double arrivals, Met poolIdle, Met poolAsUsual) {}

  private Pause pause() {
    StallImpact idle = pauseMeeting(0);
    return new Pause(idle.arrivals(), Met.of(idle), Met.of(pauseMeeting(usuallyBusy())));
  }

  private record Met(
      double busyConnections,
      double mustWait,
      Optional<Duration> drainSeconds,
      Duration longestPoolWaitSeconds) {

    static Met of(StallImpact impact) {
      return new Met(
          impact.busyAtStart(), impact.backlog(), impact.drainTime(), impact.longestPoolWait());
    }
  }

  private LittlesLaw demand() {
    return new LittlesLaw(question.rate().perSecond(), question.hold());
  }

  private ErlangC queue(int size) {
    return ErlangC.of(question.rate().perSecond(), question.hold(), size);
  }

  private double servedPerSecond(int size) {
    return LittlesLaw.sustainableRatePerSecond(size, question.hold());
  }

  /** Connections in use on average, without pauses. */
  private double usuallyBusy() {
    return Math.min(question.pool().getAsInt(), demand().concurrency());
  }

  private StallImpact pauseMeeting(double busy) {
    return new StallImpact(
        question.rate().perSecond(),
        question.pause().orElse(Duration.ZERO),
        question.pool().getAsInt(),
        question.hold(),
        busy);
  }

  private OptionalInt smallestPool() {
    return question
        .target()
        .map(
            t ->
                ErlangC.smallestPoolFor(
                    question.rate().perSecond(), question.hold(), t.limit(), t.probability()))
        .orElse(OptionalInt.empty());
  }

  @Override
  public Report report() {
    String most = question.holdIsBound() ? "At most " : "";
    Cell title = new Cell(most + needed() + " connections needed" + fit(), tone());
    List<Block> opening = new ArrayList<>();
    opening.add(
        new Block.Code(
            List.of(
                "Little's law: concurrency = rate x hold time",
                "%s x %s%s = %s%s connections in use on average"
                    .formatted(
                        rateText(),
                        question.holdIsBound() ? "at most " : "",
                        hold(),
                        question.holdIsBound() ? "at most " : "",
                        needed()))));
    if (!question.origins().isEmpty()) {
      opening.add(Block.Bullets.of(question.origins()));
    }
    return Report.of(
        title,
        opening,
        List.of(
            new Section("The pool", question.pool().isPresent() ? poolBlocks() : List.of()),
            new Section("A pause", question.pause().isPresent() ? pauseBlocks() : List.of()),
            new Section(
                "The wanted wait", question.target().isPresent() ? targetBlocks() : List.of())));
  }

  private String fit() {
    if (question.pool().isEmpty()) {
      return "";
    }
    int size = question.pool().getAsInt();
    if (keepsUp()) {
      return ", the pool has %s: %s in use, %s"
          .formatted(
              Numbers.count(size),
              new Ratio(demand().utilisationOf(size)),
              p99(queue(size).waitQuantile(P99)));
    }
    return question.holdIsBound()
        ? "; whether a pool of " + Numbers.count(size) + " keeps up is not known"
        : ", the pool has "
            + Numbers.count(size)
            + (isAtItsLimit(size) ? ": at its limit" : " and cannot keep up");
  }

  /** As printed, demand and size are the same: whether the queue grows is beyond the figures. */
  private boolean isAtItsLimit(int size) {
    return !keepsUp() && needed().equals(Numbers.count(size));
  }

  private static String p99(Optional<Duration> wait) {
    return wait.filter(Duration.ZERO::equals).isPresent()
        ? "99 % of requests do not wait"
        : "P99 wait " + wait(wait);
  }

  private Tone tone() {
    return keepsUp() ? Tone.STRONG : question.holdIsBound() ? Tone.WARNING : Tone.BAD;
  }

  private boolean keepsUp() {
    OptionalInt pool = question.pool();
    return pool.isEmpty() || queue(pool.getAsInt()).isStable();
  }

  private List<Block> poolBlocks() {
    int size = question.pool().getAsInt();
    if (question.holdIsBound() && !keepsUp()) {
      return List.of(
          Block.Paragraph.of(
              "Connections are held for "
                  + hold()
                  + " or less, and nothing says for how much less: give --hold. The pool's own"
                  + " usage timer shows it, or thread dumps and recordings of the calls."));
    }
    ErlangC queue = queue(size);
    double use = demand().utilisationOf(size);
    String used = new Ratio(isAtItsLimit(size) ? 1 : use).toString();
    double served = servedPerSecond(size);
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s       %s / %s = %s"
            .formatted(
                queue.isStable() || isAtItsLimit(size) ? "in use" : "needed",
                needed(),
                Numbers.count(size),
                used));
    lines.add(
        "serves       %s / %s = %s/s at most"
            .formatted(Numbers.count(size), hold(), Numbers.threeSignificant(served)));
    if (isAtItsLimit(size)) {
      return List.of(
          new Block.Code(lines),
          Block.Paragraph.of(
              "All connections are in use throughout: a request that comes in addition waits.",
              Tone.BAD));
    }
    if (!queue.isStable()) {
      double growth = question.rate().perSecond() - served;
      lines.add(
          "queue grows  %s - %s/s = %s/s"
              .formatted(
                  rateText(), Numbers.threeSignificant(served), Numbers.threeSignificant(growth)));
      return List.of(
          new Block.Code(lines),
          Block.Paragraph.of(
              "Overload: more requests arrive than the pool can serve. The queue grows without"
                  + " limit, so there is no mean wait and no percentile of it.",
              Tone.BAD));
    }
    lines.add("must wait    " + small(queue.waitProbability()) + " of arrivals");
    lines.add("mean wait    " + wait(queue.meanWait()) + of(queue));
    lines.add("P99 wait     " + wait(queue.waitQuantile(P99)));
    return List.of(
        new Block.Code(lines),
        Block.Paragraph.muted(
            "Waits by Erlang's C formula, for random arrivals, exponential hold times and no"
                + " pauses. Waits are shorter if hold times vary less, longer if they vary more."));
  }

  /** Says that the mean is over all arrivals: if few of them wait, those wait far longer. */
  private static String of(ErlangC queue) {
    return queue.waitProbability() < HALF ? " (of all, most of them 0)" : " (of all)";
  }

  private List<Block> pauseBlocks() {
    StallImpact idle = pauseMeeting(0);
    StallImpact usual = pauseMeeting(usuallyBusy());
    String arrivals = Numbers.threeSignificant(idle.arrivals());
    return List.of(
        new Block.Code(
            List.of(
                "arrivals in one pause   %s x %s = %s"
                    .formatted(rateText(), Durations.format(question.pause().get()), arrivals))),
        new Columns<StallImpact>()
            .words("When the pause begins", one -> one == idle ? "pool idle" : "pool in normal use")
            .numbers("In use", one -> Numbers.threeSignificant(one.busyAtStart()))
            .numbers("Must wait", one -> Numbers.threeSignificant(one.backlog()))
            .numbers("Longest pool wait", one -> Durations.format(one.longestPoolWait()))
            .add(Column.numbers("Clear after"), LittlesLawDocument::clearAfter)
            .of(List.of(idle, usual)),
        Block.Paragraph.muted(
            "Must wait = arrivals - free connections. Clear after = must wait / (served -"
                + " arriving), counted from the end of the pause. Mean values, without chance."));
  }

  private static Cell clearAfter(StallImpact impact) {
    return impact
        .drainTime()
        .map(time -> Cell.of(Durations.format(time)))
        .orElse(new Cell("never", Tone.BAD));
  }

  private List<Block> targetBlocks() {
    TargetWait target = question.target().get();
    String wanted = Durations.format(target.limit()) + " at " + target.name();
    OptionalInt smallest = smallestPool();
    if (smallest.isEmpty()) {
      return List.of(
          Block.Paragraph.of(
              "No pool of up to %s connections waits at most %s."
                  .formatted(Numbers.count(ErlangC.MOST_SERVERS), wanted),
              Tone.BAD));
    }
    int size = smallest.getAsInt();
    List<String> lines = new ArrayList<>();
    if (size > 1) {
      lines.add(waitAt(size - 1, target));
    }
    lines.add(waitAt(size, target));
    return List.of(
        Block.Paragraph.of(
            "The smallest pool that waits at most %s has %s%s"
                .formatted(
                    wanted, Numbers.count(size), size == 1 ? " connection." : " connections."),
            Tone.STRONG),
        new Block.Code(lines),
        Block.Paragraph.muted(
            "For arrivals at random. Callers that wait for an answer before they call again, as"
                + " those of a closed load test, need at most one connection each."));
  }

  private String waitAt(int size, TargetWait target) {
    ErlangC queue = queue(size);
    return Numbers.count(size)
        + ": "
        + (queue.isStable()
            ? target.name() + " wait " + wait(queue.waitQuantile(target.probability()))
            : "cannot keep up");
  }

  private static String wait(Optional<Duration> wait) {
    return wait.map(Durations::format).orElse("without end");
  }

  /** A share; one that would be printed as 0.0 % without being 0 is said to be below that. */
  private static String small(double share) {
    return share > 0 && share < LEAST_SHOWN / 2
        ? "less than " + new Ratio(LEAST_SHOWN)
        : new Ratio(share).toString();
  }

  private String rateText() {
    return Numbers.threeSignificant(question.rate().perSecond()) + "/s";
  }

  private String hold() {
    return Durations.format(question.hold());
  }

  private String needed() {
    return Numbers.threeSignificant(demand().concurrency());
  }

  /**
   * What is asked of Little's law and Erlang's formula.
   *
   * @param rate arrivals, above 0 and at most {@value #MOST_PER_SECOND} per second
   * @param hold how long each holds a connection, above 0
   * @param holdIsBound whether it is known only that they hold it no longer than that; no pool can
   *     be sized by this
   * @param pool connections there are, at least 1
   * @param pause a stop of the whole process; needs a pool
   * @param target the wait that is wanted
   * @param origins where figures come from that the user did not give, one sentence each
   */
  public record PoolQuestion(
      Rate rate,
      Duration hold,
      boolean holdIsBound,
      OptionalInt pool,
      Optional<Duration> pause,
      Optional<TargetWait> target,
      List<String> origins) {

    /** One arrival per nanosecond; higher rates are not meaningful. */
    public static final double MOST_PER_SECOND = 1e9;

    private static final double PERCENT = 100;

    /**
     * A wait that most arrivals must not exceed.
     *
     * @param limit the longest wait that is in order, 0 or more
     * @param percentile the share of arrivals in percent, above 0 and below 100
     */
    public record TargetWait(Duration limit, double percentile) {

      private static final double USUAL_PERCENTILE = 99;

      /**
       * Reads {@code 5ms@p99}, {@code 5ms@99} or {@code 5ms}, which mean the same.
       *
       * @throws IllegalArgumentException if the text has another form
       */
      public static TargetWait parse(String text) {
        int at = text.indexOf('@');
        if (at < 0) {
          return new TargetWait(Durations.parse(text), USUAL_PERCENTILE);
        }
        String percentile = text.substring(at + 1).trim();
        if (!percentile.matches("[pP]?\\d{1,2}(\\.\\d{1,6})?")) {
          throw new IllegalArgumentException(
              "'" + text + "' is not a wait with a percentile; write it like 5ms@p99");
        }
        double value = Double.parseDouble(percentile.replaceFirst("^[pP]", ""));
        if (value <= 0) {
          throw new IllegalArgumentException("a percentile lies between 0 and 100, not " + value);
        }
        return new TargetWait(Durations.parse(text.substring(0, at)), value);
      }

      /** The share of arrivals as a fraction. */
      double probability() {
        return percentile / PERCENT;
      }

      /** {@code p99} or {@code p99.9}. */
      String name() {
        return "p" + Numbers.threeDigits(percentile);
      }
    }

    public PoolQuestion {
      if (!(rate.perSecond() > 0 && rate.perSecond() <= MOST_PER_SECOND)) {
        throw new IllegalArgumentException(
            "the rate must be above 0 and at most " + Numbers.decimals(MOST_PER_SECOND, 0) + "/s");
      }
      if (hold.isZero() || hold.isNegative()) {
        throw new IllegalArgumentException("the hold time must be longer than 0");
      }
      if (pool.isPresent() && pool.getAsInt() < 1) {
        throw new IllegalArgumentException("a pool has at least 1 connection");
      }
      if (holdIsBound && target.isPresent()) {
        throw new IllegalArgumentException(
            "no pool can be sized by a hold time of which only the most is known");
      }
      if (pause.isPresent() && pool.isEmpty()) {
        throw new IllegalArgumentException("a pause needs a pool to meet");
      }
    }
  }
}
