package io.gcdiag.cli.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A document.
 *
 * @param title its title, which is also its answer
 * @param doubts what to know before one believes the answer, such as a file that was read in part;
 *     shown before the title
 * @param blocks its parts in order
 */
public record Report(Cell title, List<Cell> doubts, List<Block> blocks) {

  public Report(Cell title, List<Block> blocks) {
    this(title, List.of(), blocks);
  }

  /**
   * A part with a heading.
   *
   * @param title its heading, without its number
   * @param blocks what it holds; a section without blocks is left out of the report
   */
  record Section(String title, List<Block> blocks) {}

  static Report of(Cell title, List<Block> opening, List<Section> sections) {
    return of(title, List.of(), opening, sections);
  }

  /** Puts an opening and sections together; sections are numbered, empty ones are left out. */
  static Report of(Cell title, List<Cell> doubts, List<Block> opening, List<Section> sections) {
    List<Block> blocks = new ArrayList<>(opening);
    int number = 0;
    for (Section section : sections) {
      if (!section.blocks().isEmpty()) {
        number++;
        blocks.add(new Block.Heading(number + ". " + section.title()));
        blocks.addAll(section.blocks());
      }
    }
    return new Report(title, doubts, blocks);
  }
}
