package io.gcdiag.read.load;

import io.gcdiag.evidence.LoadModel;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.units.Rate;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The tables that Locust writes with {@code --csv}: figures of the whole run, one row for each name
 * and one of all, and the same every second.
 */
public final class LocustFormat extends LoadFormat {

  private static final String PRODUCER = "Locust";
  private static final String NAME = "Name";
  private static final String TIME = "Timestamp";
  private static final String REQUESTS = "Request Count";
  private static final String FAILURES = "Failure Count";
  private static final String MEAN = "Average Response Time";
  private static final String LONGEST = "Max Response Time";
  private static final String SHORTEST = "Min Response Time";

  /** Before a column of the history that is of the run so far, not of the last ten seconds. */
  private static final String SO_FAR = "Total ";

  /** The name of the row of all; until version 0.14 it was Total. */
  private static final List<String> ALL = List.of("Aggregated", "Total");

  private static final double MILLIS_PER_SECOND = 1e3;

  public LocustFormat() {
    super("locust", "the tables of Locust (--csv: _stats.csv, _stats_history.csv)");
  }

  @Override
  public boolean recognises(FileHead head) {
    String first = head.text().lines().findFirst().orElse("");
    return first.contains(NAME) && first.contains(REQUESTS) && first.contains(MEAN);
  }

  @Override
  LoadRun read(LoadText text, String file) throws IOException {
    Table table = new Table(new BufferedReader(text), text, ',');
    List<String> header = table.next() ? Arrays.asList(table.row()) : List.of();
    boolean history = header.contains(TIME);
    Columns columns = new Columns(table, header, history ? SO_FAR : "");
    Source source = new Source(file, ALL.get(0));
    Optional<RequestStats.Builder> stats = Optional.empty();
    List<RequestInterval> intervals = new ArrayList<>();
    Optional<SoFar> before = Optional.empty();
    while (table.next()) {
      Optional<SoFar> now = ALL.contains(columns.text(NAME)) ? columns.soFar() : Optional.empty();
      if (now.isPresent()) {
        before.flatMap(earlier -> now.get().since(earlier)).ifPresent(intervals::add);
        before = now;
        stats = Optional.of(columns.stats(now.get(), source, history));
      } else if (table.value(header.indexOf(NAME)).isEmpty()) {
        text.damaged();
      }
    }
    if (stats.isEmpty() || before.orElseThrow().requests() == 0) {
      throw new IOException("Locust ended without a result: no row counts all requests");
    }
    return new LoadRun(
        stats.get().build(),
        intervals.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new RequestSeries(PRODUCER, intervals.get(0).length(), intervals, source)));
  }

  /** The requests until a time, and the seconds that they took together. */
  private record SoFar(Optional<Instant> at, long requests, long failed, double seconds) {

    /** Those since an earlier row. */
    Optional<RequestInterval> since(SoFar earlier) {
      if (at.isEmpty()
          || earlier.at.isEmpty()
          || !at.get().isAfter(earlier.at.get())
          || requests < earlier.requests
          || failed < earlier.failed) {
        return Optional.empty();
      }
      long more = requests - earlier.requests;
      return Optional.of(
          new RequestInterval(
              earlier.at.get(),
              Duration.between(earlier.at.get(), at.get()),
              more,
              Math.min(more, failed - earlier.failed),
              Latencies.ofTotal(more, Math.max(0, seconds - earlier.seconds))));
    }
  }

  /** The row that the table is at, by the names of its columns. */
  private record Columns(Table table, List<String> header, String prefix) {

    String text(String name) {
      return table.value(header.indexOf(name));
    }

    private Optional<Double> number(String name) {
      return Table.decimal(text(name));
    }

    Optional<SoFar> soFar() {
      OptionalLong requests = table.number(header.indexOf(prefix + REQUESTS));
      OptionalLong failed = table.number(header.indexOf(prefix + FAILURES));
      if (requests.isEmpty() || failed.isEmpty() || failed.getAsLong() > requests.getAsLong()) {
        return Optional.empty();
      }
      Optional<Instant> at =
          number(TIME)
              .map(seconds -> Instant.ofEpochSecond(Math.round(seconds)))
              .filter(RunRecorder::isPossible);
      double mean = number(prefix + MEAN).orElse(0.0);
      return Optional.of(
          new SoFar(
              at,
              requests.getAsLong(),
              failed.getAsLong(),
              mean / MILLIS_PER_SECOND * requests.getAsLong()));
    }

    /** Percentiles and rates of the history are of the last ten seconds. */
    RequestStats.Builder stats(SoFar all, Source source, boolean history) {
      RequestStats.Builder stats =
          new RequestStats.Builder(PRODUCER, source)
              .model(LoadModel.CLOSED)
              .requests(all.requests())
              .failed(all.failed());
      number(prefix + MEAN).map(LoadFigures::millis).ifPresent(stats::mean);
      number(prefix + LONGEST).map(LoadFigures::millis).ifPresent(stats::longest);
      number(prefix + SHORTEST).map(LoadFigures::millis).ifPresent(stats::shortest);
      if (!history) {
        number("Requests/s").map(Rate::new).ifPresent(stats::rate);
        for (String column : header) {
          if (column.endsWith("%") && !column.equals("100%")) {
            Table.decimal(column.substring(0, column.length() - 1))
                .ifPresent(
                    percent ->
                        number(column)
                            .map(LoadFigures::millis)
                            .ifPresent(latency -> stats.percentile(percent, latency)));
          }
        }
      }
      return stats;
    }
  }
}
