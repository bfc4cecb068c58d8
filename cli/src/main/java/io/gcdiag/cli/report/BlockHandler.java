package io.gcdiag.cli.report;

/** One method per kind of block: a renderer that forgets one does not compile. */
public interface BlockHandler {

  void heading(Block.Heading heading);

  void paragraph(Block.Paragraph paragraph);

  void facts(Block.Facts facts);

  void table(Block.Table table);

  void chain(Block.Chain chain);

  /** The answer, drawn. */
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
