package io.gcdiag.cli.report;

import io.gcdiag.evidence.time.Window;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A piece of text with its tone.
 *
 * @param text one line; made harmless here, so that no renderer can forget it
 * @param tone how it is meant
 * @param target where it points to, for formats with links: the id of a place in the report, or a
 *     file, relative to the report and beginning with {@link #FILE}; empty for none
 * @param anchor the id under which other places point to it; empty for none
 * @param share a share that it names, 0 to 1, for formats that can draw it as a bar
 * @param spot what of the chart that it points to it is about; empty for all of it
 * @param trail what the text draws as a character each, for formats that can draw it in colours
 */
public record Cell(
    String text,
    Tone tone,
    String target,
    String anchor,
    OptionalDouble share,
    Optional<Spot> spot,
    List<Tone> trail) {

  /** Begins a target that is a file. */
  public static final String FILE = "./";

  private static final Pattern BRACKETS = Pattern.compile(" \\([^()]*\\)");

  /** Where a sentence could end. */
  private static final Pattern POINT = Pattern.compile("; |, and ");

  /** Where a part of a sentence ends, unless what follows turns its meaning. */
  private static final Pattern CLAUSE = Pattern.compile("[,;:] (?!none |no |not |explains none)");

  private static final String DOTS = " ...";

  public Cell {
    text = SafeText.clean(text);
  }

  /** Text that points nowhere. */
  public Cell(String text, Tone tone) {
    this(text, tone, "", "", OptionalDouble.empty(), Optional.empty(), List.of());
  }

  public static Cell of(String text) {
    return new Cell(text, Tone.PLAIN);
  }

  /** The same text, pointing to a place in the report. */
  Cell to(String id) {
    return new Cell(text, tone, id, anchor, share, spot, trail);
  }

  /** The same text, pointing to a file beside the report; nowhere if there is none. */
  Cell toFile(String path) {
    return path.isEmpty() ? this : to(FILE + path);
  }

  /** The same text, pointing to a spot of a chart. */
  Cell to(String chart, Spot where) {
    return new Cell(text, tone, chart, anchor, share, Optional.of(where), trail);
  }

  /** Other text in the same place. */
  public Cell saying(String other) {
    return new Cell(other, tone, target, anchor, share, spot, trail);
  }

  /**
   * What of the text makes sense in so many characters: without the details in brackets, or up to a
   * point behind which it is only explained or goes on to something else; empty if there is no such
   * point.
   */
  Optional<String> brief(int letters) {
    String whole = withoutBrackets();
    return whole.length() <= letters ? Optional.of(whole) : upTo(POINT, 0, letters);
  }

  /**
   * The same, or up to a comma or colon in the second half of the room: what is behind it explains.
   */
  Optional<String> clause(int letters) {
    return brief(letters).or(() -> upTo(CLAUSE, letters / 2, letters));
  }

  /** Without brackets, up to the last of such points between two places. */
  private Optional<String> upTo(Pattern point, int from, int to) {
    String whole = withoutBrackets();
    return point
        .matcher(whole)
        .results()
        .map(MatchResult::start)
        .filter(end -> end > from && end <= to)
        .reduce((one, later) -> later)
        .map(end -> whole.substring(0, end));
  }

  /** The same, if need be up to a word, with dots for the rest. */
  String within(int letters) {
    return clause(letters)
        .orElseGet(
            () -> {
              String room = withoutBrackets().substring(0, Math.max(1, letters - DOTS.length()));
              return room.substring(0, Math.max(1, room.lastIndexOf(' '))) + DOTS;
            });
  }

  String withoutBrackets() {
    String bare = text;
    while (BRACKETS.matcher(bare).find()) {
      bare = BRACKETS.matcher(bare).replaceAll("");
    }
    return bare;
  }

  /** The same text, as a place that others point to. */
  Cell at(String id) {
    return new Cell(text, tone, target, id, share, spot, trail);
  }

  static Cell share(double share) {
    String text = FigureText.share(share, "none");
    return new Cell(
        text, Tone.PLAIN, "", "", OptionalDouble.of(share), Optional.empty(), List.of());
  }

  /** States in the order of time, a character of the text each. */
  static Cell trail(String drawn, List<Tone> states) {
    return new Cell(drawn, Tone.PLAIN, "", "", OptionalDouble.empty(), Optional.empty(), states);
  }

  /**
   * The place in a chart that a figure is about.
   *
   * @param to where it ends; the same as {@code from} for an instant
   * @param peak whether it is about the highest value in between, and not about all of it
   */
  public record Spot(Instant from, Instant to, boolean peak) {

    static Spot all(Window window) {
      return new Spot(window.from(), window.to(), false);
    }

    static Spot highest(Window window) {
      return new Spot(window.from(), window.to(), true);
    }

    /** An event, marked where it began. */
    static Spot event(Window time) {
      return new Spot(time.from(), time.from(), false);
    }
  }
}
