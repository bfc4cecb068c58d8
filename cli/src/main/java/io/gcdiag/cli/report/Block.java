package io.gcdiag.cli.report;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A part of a report. Hands itself to a {@link BlockHandler}, which has a method for each kind. */
public sealed interface Block {

  /** Calls the handler's method for this kind. */
  void handTo(BlockHandler handler);

  /** The title of the part that follows. */
  record Heading(String text) implements Block {
    @Override
    public void handTo(BlockHandler handler) {
      handler.heading(this);
    }
  }

  /**
   * Running text.
   *
   * @param text the text and its tone
   */
  record Paragraph(Cell text) implements Block {
    public static Paragraph of(String text) {
      return new Paragraph(Cell.of(text));
    }

    static Paragraph of(String text, Tone tone) {
      return new Paragraph(new Cell(text, tone));
    }

    /** Running text of less interest. */
    public static Paragraph muted(String text) {
      return new Paragraph(new Cell(text, Tone.MUTED));
    }

    /** The first sentences, in so many characters; all of it if the first one is longer. */
    Paragraph sentences(int letters) {
      int end = text.text().length() <= letters ? -1 : text.text().lastIndexOf(". ", letters - 1);
      return end < 0 ? this : new Paragraph(text.saying(text.text().substring(0, end + 1)));
    }

    @Override
    public void handTo(BlockHandler handler) {
      handler.paragraph(this);
    }
  }

  /** Short labelled facts, one under the other. */
  record Facts(List<Fact> entries) implements Block {

    @Override
    public void handTo(BlockHandler handler) {
      handler.facts(this);
    }
  }

  /**
   * A table.
   *
   * @param rows its rows, each with as many cells as there are columns
   * @param folded what each row unfolds to, where a format can; as many as rows, or none at all
   * @param layout how its rows are drawn as text
   * @param unfolding what rows unfold to, in words before the name of a row
   */
  record Table(
      List<Column> columns,
      List<List<Cell>> rows,
      List<List<Block>> folded,
      Layout layout,
      String unfolding)
      implements Block {

    /** How text draws rows. */
    public enum Layout {
      /** All columns share the width, tall rows are set apart. */
      RULED,
      /** A name that its column does not hold stands above its row, in one piece. */
      NAMED,
      /** The last column takes the room that the others leave. */
      OPEN
    }

    /** A ruled table whose rows do not unfold. */
    public Table(List<Column> columns, List<List<Cell>> rows) {
      this(columns, rows, List.of(), Layout.RULED, "");
    }

    /** The same without lines around its cells. */
    Table open() {
      return new Table(columns, rows, folded, Layout.OPEN, unfolding);
    }

    /** The same, each name in one piece. */
    Table named() {
      return new Table(columns, rows, folded, Layout.NAMED, unfolding);
    }

    public boolean ruled() {
      return layout == Layout.RULED || layout == Layout.NAMED;
    }

    /** The same with one more row, which unfolds to nothing. */
    Table and(List<Cell> row) {
      return new Table(
          columns,
          Stream.concat(rows.stream(), Stream.of(row)).toList(),
          folded,
          layout,
          unfolding);
    }

    /** The same, without the names of some rows, which stand above them, as an open table. */
    public Table without(List<String> names) {
      List<List<Cell>> others = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        List<Cell> row = new ArrayList<>(rows.get(i));
        row.set(0, names.get(i).isEmpty() ? row.get(0) : Cell.of(""));
        others.add(row);
      }
      return new Table(columns, others, folded, Layout.RULED, unfolding);
    }

    /** The same, each row with what it unfolds to. */
    Table unfolding(String words, List<List<Block>> blocks) {
      return new Table(columns, rows, blocks, layout, words);
    }

    /** The same without columns in which no row has a text. */
    Table filled() {
      return only(column -> rows.stream().anyMatch(row -> !row.get(column).text().isBlank()));
    }

    /** The same with some of its columns. */
    public Table only(IntPredicate wanted) {
      int[] kept = IntStream.range(0, columns.size()).filter(wanted).toArray();
      return new Table(
          Arrays.stream(kept).mapToObj(columns::get).toList(),
          rows.stream().map(row -> Arrays.stream(kept).mapToObj(row::get).toList()).toList(),
          folded,
          layout,
          unfolding);
    }

    public Table {
      if (!folded.isEmpty() && folded.size() != rows.size()) {
        throw new IllegalArgumentException(
            folded.size() + " rows unfold in a table of " + rows.size() + " rows");
      }
      for (List<Cell> row : rows) {
        if (row.size() != columns.size()) {
          throw new IllegalArgumentException(
              "a row of " + row.size() + " cells in a table of " + columns.size() + " columns");
        }
      }
    }

    /** What the unfolded part of a row is: a row is called by its number or its name. */
    public String summary(int row) {
      String name = rows.get(row).get(0).text();
      return unfolding + " " + (columns.get(0).align() == Column.Align.RIGHT ? "row " : "") + name;
    }

    @Override
    public void handTo(BlockHandler handler) {
      handler.table(this);
    }
  }

  /**
   * Causes and effects, from the first cause down.
   *
   * @param links the arrows in order
   */
  record Chain(List<Arrow> links) implements Block {

    @Override
    public void handTo(BlockHandler handler) {
      handler.chain(this);
    }
  }

  /**
   * One arrow of a chain.
   *
   * @param from the cause
   * @param how why it leads there, with its figure
   * @param rows of the table of stations, before and during
   * @param to the effect
   */
  record Arrow(String from, String how, List<String> rows, String to) {
    public Arrow {
      from = SafeText.clean(from);
      how = SafeText.clean(how);
      rows = rows.stream().map(SafeText::clean).toList();
      to = SafeText.clean(to);
    }
  }

  /**
   * The answer as one picture, for formats that can draw; the facts beside it say the same in
   * words.
   *
   * @param windows the windows that it marks, in words
   * @param parts the lost time by cause; together the whole, or none where no time was lost
   * @param charts the ids of the charts that show it over time
   */
  record Overview(String windows, List<Part> parts, List<String> charts) implements Block {

    @Override
    public void handTo(BlockHandler handler) {
      handler.overview(this);
    }
  }

  /**
   * A part of a whole.
   *
   * @param share of the whole, 0 to 1
   * @param figure the same in words
   * @param tone bad for the suspect, muted for what is unexplained
   */
  record Part(String title, double share, String figure, Tone tone) {}

  /** Lines to be shown as they are. */
  record Code(List<String> lines) implements Block {
    public Code {
      lines = lines.stream().map(SafeText::clean).toList();
    }

    @Override
    public void handTo(BlockHandler handler) {
      handler.code(this);
    }
  }

  /** A list without order. */
  record Bullets(List<Cell> items) implements Block {

    static Bullets of(List<String> texts) {
      return new Bullets(texts.stream().map(Cell::of).toList());
    }

    @Override
    public void handTo(BlockHandler handler) {
      handler.bullets(this);
    }
  }

  /**
   * Something that was found, with its sums and where its figures stand.
   *
   * @param statement a sentence; empty where a table's row has it
   * @param sums the sums spelled out, a line each
   * @param rule the id of the rule that found it
   * @param origin rule and sources in brackets, for formats without links: {@code (pool-wait:
   *     recording.jfr jdk.ThreadPark)}; a file is named once for its events
   * @param sources where its figures were read
   * @param charts the charts that show it over time
   */
  record Evidence(
      String statement,
      List<String> sums,
      String rule,
      String origin,
      List<Cell> sources,
      List<Cell> charts)
      implements Block {
    public Evidence {
      statement = SafeText.clean(statement);
      sums = sums.stream().map(SafeText::clean).toList();
      rule = SafeText.clean(rule);
      origin = SafeText.clean(origin);
    }

    @Override
    public void handTo(BlockHandler handler) {
      handler.evidence(this);
    }
  }

  /**
   * Details that are folded.
   *
   * @param telling whether the summary says something by itself
   * @param title what stands above the details where they are not folded: the summary without what
   *     they say themselves
   */
  record Details(Cell summary, List<Block> blocks, boolean telling, String title) implements Block {

    /** Details that repeat nothing of their summary. */
    public Details(Cell summary, List<Block> blocks, boolean telling) {
      this(summary, blocks, telling, summary.text());
    }

    /** Details whose summary says all that matters by itself. */
    public Details(Cell summary, List<Block> blocks) {
      this(summary, blocks, true);
    }

    @Override
    public void handTo(BlockHandler handler) {
      handler.details(this);
    }
  }

  /**
   * Stacks as a tree: what called what, and how much of the whole was in it.
   *
   * @param id under which other places point to it
   * @param title for people
   * @param total how much the whole is
   * @param source where it was read
   * @param json the part of the report for machines that holds the same
   * @param frames each after its caller
   * @param open where to begin; absent where no frame stands out
   */
  record Stacks(
      String id,
      String title,
      String total,
      Cell source,
      String json,
      List<StackFrame> frames,
      Optional<Opened> open)
      implements Block {

    /**
     * The frame that a drawing begins at.
     *
     * @param frame its index
     * @param why what it is, in words
     */
    public record Opened(int frame, String why) {}

    @Override
    public void handTo(BlockHandler handler) {
      handler.stacks(this);
    }
  }

  /**
   * Figures over time, all over the same span.
   *
   * @param zone the time zone of the axis
   * @param marks spans that stand out
   * @param closeUp a short span to look at closely
   */
  record Charts(ZoneId zone, List<Plot.Mark> marks, Optional<Plot.Mark> closeUp, List<Plot> plots)
      implements Block {

    /** The first so many of them that have something to tell. */
    Charts first(int most) {
      return new Charts(
          zone,
          marks,
          closeUp,
          plots.stream().filter(plot -> !plot.telling().isEmpty()).limit(most).toList());
    }

    @Override
    public void handTo(BlockHandler handler) {
      handler.charts(this);
    }
  }

  /**
   * A frame in a tree of stacks.
   *
   * @param parent the index of its caller; -1 for an outermost frame
   * @param level how many callers are above it
   * @param name class and method, and how many frames behind it are left out
   * @param own whether it is the service's own code: no JDK, framework, pool, driver or library
   * @param share of all that was seen, with what it called, 0 to 1
   * @param before the same in the baseline
   */
  public record StackFrame(
      int parent, int level, String name, boolean own, double share, OptionalDouble before) {

    public StackFrame {
      name = SafeText.clean(name);
    }
  }

  /** One method per kind of block: a renderer that forgets one does not compile. */
  interface BlockHandler {

    void heading(Block.Heading heading);

    void paragraph(Block.Paragraph paragraph);

    void facts(Block.Facts facts);

    void table(Block.Table table);

    void chain(Block.Chain chain);

    void overview(Block.Overview overview);

    /** Lines shown as they are. */
    void code(Block.Code code);

    void bullets(Block.Bullets bullets);

    /** Something found, with its sums and sources. */
    void evidence(Block.Evidence evidence);

    /** What only some want to read. */
    void details(Block.Details details);

    void stacks(Block.Stacks stacks);

    void charts(Block.Charts charts);
  }
}
