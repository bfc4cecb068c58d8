package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.BlockHandler;
import io.gcdiag.cli.report.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Evidence in formats without links: the source follows in brackets. */
final class ShortEvidence {

  static void write(Block.Evidence evidence, BlockHandler to) {
    String statement = evidence.statement();
    to.paragraph(
        Block.Paragraph.of(statement + (statement.isEmpty() ? "" : " ") + evidence.origin()));
    if (!evidence.sums().isEmpty()) {
      to.code(new Block.Code(evidence.sums()));
    }
  }

  /** Puts short evidence into its row; longer evidence stays folded. */
  static Block.Table inRows(Block.Table table) {
    List<List<Cell>> rows = new ArrayList<>();
    List<List<Block>> folded = new ArrayList<>();
    for (int i = 0; i < table.folded().size(); i++) {
      List<Cell> row = new ArrayList<>(table.rows().get(i));
      Cell key = row.get(row.size() - 1);
      Optional<String> more = inLine(table.folded().get(i));
      String link =
          table.folded().get(i).stream().anyMatch(Block.Evidence.class::isInstance) ? " " : ". ";
      more.ifPresent(text -> row.set(row.size() - 1, key.saying(key.text() + link + text)));
      rows.add(row);
      folded.add(more.isPresent() ? List.of() : table.folded().get(i));
    }
    return folded.isEmpty()
        ? table
        : new Block.Table(table.columns(), rows, folded, table.layout(), table.unfolding());
  }

  /** Evidence too short for a paragraph of its own. */
  static Optional<String> inLine(List<Block> blocks) {
    if (blocks.size() != 1) {
      return Optional.empty();
    }
    if (blocks.get(0) instanceof Block.Evidence evidence) {
      return evidence.statement().isEmpty() && evidence.sums().isEmpty()
          ? Optional.of(evidence.origin())
          : Optional.empty();
    }
    return blocks.get(0) instanceof Block.Paragraph paragraph
        ? Optional.of(paragraph.text().text())
        : Optional.empty();
  }
}
