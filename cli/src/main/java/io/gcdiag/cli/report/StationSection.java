package io.gcdiag.cli.report;

import io.gcdiag.cli.report.Report.Section;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.figures.Metric.Origin;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.measures.threads.Station.Kind;
import io.gcdiag.measures.threads.Station.Moved;
import io.gcdiag.measures.threads.Station.Row;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.verdict.Conclusion;
import io.gcdiag.verdict.Diagnosis;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Each place where requests spend time, before and during: what changed, and what stayed. */
final class StationSection {

  /** Rows of a kind: a table of all locks would be too long to read. */
  private static final int MOST_OF_A_KIND = 3;

  /** What one reads at a glance. */
  private static final int MOST_IN_BRIEF = 6;

  /** Rows of a first screen that grew; the others did not change and rule something out. */
  private static final int MOST_GROWN = 4;

  /** What a reader would suspect: rows that did not change rule it out. */
  private static final Set<Kind> SUSPECTED =
      EnumSet.of(
          Kind.WORKERS, Kind.CONNECTIONS, Kind.CALLS, Kind.LOCK_QUEUE, Kind.STOPS, Kind.CORES);

  /** Without a baseline nothing can be said to have changed. */
  static String title(Diagnosis diagnosis) {
    return diagnosis.windows().baseline().isPresent()
        ? "What changed, station by station"
        : "Station by station";
  }

  /**
   * The rows that matter: the requests, the stations whose number grew most, then one of each kind
   * that a reader would suspect.
   */
  static Optional<Block.Table> brief(Diagnosis diagnosis) {
    // Holds that are counted after a wait alone say nothing of the others.
    List<Station> all =
        diagnosis.figures().stations().stream()
            .filter(one -> one.kind() != Kind.CONNECTIONS || one.cover().isEmpty())
            // What a suspect keeps waiting has a row of its own.
            .filter(
                one ->
                    one.kind() != Kind.BEFORE_SERVER
                        || diagnosis.conclusion() == Conclusion.UNDECIDED)
            .toList();
    Set<Station> chosen = new HashSet<>();
    all.stream()
        .filter(one -> one.kind() == Kind.REQUESTS || isGrown(one))
        .filter(one -> one.kind() != Kind.STOPS || rank(all, one) == 0)
        .sorted(
            Comparator.comparing((Station one) -> one.kind() != Kind.REQUESTS)
                // The number in a stop is the share of time in which all requests are stopped.
                .thenComparing(one -> one.kind() != Kind.STOPS)
                .thenComparing(one -> -growth(one)))
        .limit(MOST_GROWN)
        .forEach(chosen::add);
    all.stream()
        .filter(one -> SUSPECTED.contains(one.kind()) && rank(all, one) == 0)
        .filter(one -> chosen.stream().noneMatch(any -> any.kind() == one.kind()))
        .limit(MOST_IN_BRIEF - chosen.size())
        .forEach(chosen::add);
    return chosen.size() < 2
        ? Optional.empty()
        : Optional.of(
            columns()
                .words("Changed", StationSection::changed)
                .of(all.stream().filter(chosen::contains).toList())
                .filled()
                .named());
  }

  private static boolean isGrown(Station station) {
    double least = station.kind() == Kind.STOPS ? Policy.HARDLY_STOPPED : Policy.LEAST_THREADS_FELT;
    return station.kind() != Kind.THREADS && growth(station) >= least;
  }

  private static double growth(Station station) {
    return station.during().inIt() - station.before().map(Row::inIt).orElse(0.0);
  }

  static Section of(Diagnosis diagnosis) {
    List<Station> all = diagnosis.figures().stations();
    List<Station> most = all.stream().filter(one -> rank(all, one) < MOST_OF_A_KIND).toList();
    List<Block> blocks = new ArrayList<>();
    if (!most.isEmpty()) {
      blocks.add(table(diagnosis, most));
    }
    if (most.size() < all.size()) {
      blocks.add(
          Block.Paragraph.muted(
              all.size() - most.size() + " more, with less in them, are in the JSON report."));
    }
    return new Section(title(diagnosis), blocks);
  }

  /** How many of its kind come before it: those with more in them. */
  private static long rank(List<Station> all, Station station) {
    return all.stream()
        .limit(all.indexOf(station))
        .filter(one -> one.kind() == station.kind())
        .count();
  }

  private static Block table(Diagnosis diagnosis, List<Station> stations) {
    return columns()
        .words("Changed", StationSection::changed)
        .add(Column.aside("Source"), one -> InputSection.briefly(diagnosis, source(one)))
        .of(stations)
        .filled();
  }

  private static Columns<Station> columns() {
    return new Columns<Station>()
        .words("Station", Station::title)
        .numbers("Arrivals/s", one -> course(one, Row::perSecond, Numbers::threeDigits))
        .numbers("Time each", one -> course(one, Row::seconds, Durations::format))
        .numbers("In it, of servers", one -> one.inIt().orElse(FigureText.NONE));
  }

  private static String course(
      Station station, Function<Row, OptionalDouble> figure, DoubleFunction<String> unit) {
    return station.course(figure, unit).orElse(FigureText.NONE);
  }

  /** The rate and the time where these are known, and the number in it where they are not. */
  private static String changed(Station station) {
    if (station.number() == Moved.NEW || station.number() == Moved.GONE) {
      return station.number() == Moved.NEW ? "new" : "gone";
    }
    List<String> moved = new ArrayList<>();
    word(station.rate(), "more often", "less often").ifPresent(moved::add);
    word(station.time(), "longer", "shorter").ifPresent(moved::add);
    if (station.time() == Moved.UNKNOWN) {
      word(station.number(), "more in it", "fewer in it").ifPresent(moved::add);
    }
    if (station.isNewlyFull()) {
      moved.add("full");
    }
    return !moved.isEmpty()
        ? String.join(", ", moved)
        : station.number() == Moved.UNKNOWN ? "" : "no";
  }

  private static Optional<String> word(Moved moved, String more, String less) {
    return switch (moved) {
      case MORE -> Optional.of(more);
      case LESS -> Optional.of(less);
      default -> Optional.empty();
    };
  }

  private static Origin source(Station station) {
    List<Source> sources = station.sources().stream().distinct().toList();
    String others =
        Stream.concat(
                sources.stream().skip(1).map(Source::toString),
                Stream.of(station.cover()).filter(cover -> !cover.isEmpty()))
            .map(", "::concat)
            .collect(Collectors.joining());
    return new Origin(sources.stream().findFirst(), "", others);
  }
}
