package io.gcdiag.cli.report;

import java.util.List;

/** A part of a report. Hands itself to a {@link BlockHandler}, which has a method for each kind. */
public sealed interface Block {

  /** Calls the handler's method for this kind. */
  void handTo(BlockHandler handler);

  /**
   * The title of the part that follows.
   *
   * @param text the title
   */
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
    /** Plain running text. */
    public static Paragraph of(String text) {
      return new Paragraph(Cell.of(text));
    }

    /** Running text of less interest. */
    public static Paragraph muted(String text) {
      return new Paragraph(new Cell(text, Tone.MUTED));
    }

    @Override
    public void handTo(BlockHandler handler) {
      handler.paragraph(this);
    }
  }

  /**
   * Short labelled facts, one under the other.
   *
   * @param entries the facts
   */
  record Facts(List<Fact> entries) implements Block {
    /** Copies the list. */
    public Facts {
      entries = List.copyOf(entries);
    }

    @Override
    public void handTo(BlockHandler handler) {
      handler.facts(this);
    }
  }

  /**
   * One labelled fact.
   *
   * @param label a word or two
   * @param value what is the case
   */
  record Fact(String label, Cell value) {
    /** A plain fact. */
    public static Fact of(String label, String value) {
      return new Fact(label, Cell.of(value));
    }
  }

  /**
   * A table.
   *
   * @param columns its columns
   * @param rows its rows, each with as many cells as there are columns
   */
  record Table(List<Column> columns, List<List<Cell>> rows) implements Block {
    /** Copies the lists and checks that they fit. */
    public Table {
      columns = List.copyOf(columns);
      rows = rows.stream().map(List::copyOf).toList();
      for (List<Cell> row : rows) {
        if (row.size() != columns.size()) {
          throw new IllegalArgumentException(
              "a row of " + row.size() + " cells in a table of " + columns.size() + " columns");
        }
      }
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
    /** Copies the list. */
    public Chain {
      links = List.copyOf(links);
    }

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
   * @param to the effect
   */
  record Arrow(String from, String how, String to) {
    /** Cleans the texts. */
    public Arrow {
      from = SafeText.clean(from);
      how = SafeText.clean(how);
      to = SafeText.clean(to);
    }
  }

  /**
   * Lines to be shown as they are.
   *
   * @param lines the lines
   */
  record Code(List<String> lines) implements Block {
    /** Cleans the lines. */
    public Code {
      lines = lines.stream().map(SafeText::clean).toList();
    }

    @Override
    public void handTo(BlockHandler handler) {
      handler.code(this);
    }
  }

  /**
   * A list without order.
   *
   * @param items its items
   */
  record Bullets(List<Cell> items) implements Block {
    /** Copies the list. */
    public Bullets {
      items = List.copyOf(items);
    }

    @Override
    public void handTo(BlockHandler handler) {
      handler.bullets(this);
    }
  }
}
