package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.slo.Met;
import io.gcdiag.slo.SloResult;
import io.gcdiag.slo.TargetResult;
import io.gcdiag.slo.TestDoubt;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Whether a load test meets its targets, as a document.
 *
 * @param result what is shown
 */
public record SloDocument(SloResult result) implements Printable {

  /** Columns of the short table: all but the source. */
  private static final int BRIEF = 5;

  @Override
  public Report report() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Facts(List.of(Block.Fact.of("Test", result.test()))));
    blocks.add(new Block.Heading("Targets"));
    blocks.add(
        new Block.Table(
            List.of(
                Column.words("Target"),
                Column.words("Verdict"),
                Column.words("Measured"),
                Column.words("Margin"),
                Column.words("Over time"),
                Column.words("Source")),
            result.targets().stream().map(SloDocument::row).toList()));
    blocks.add(new Block.Heading("The test itself"));
    blocks.add(doubts());
    return new Report(title(), blocks);
  }

  /** The targets, and the evidence for or against the test; sources are in the full report. */
  @Override
  public Report brief() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Facts(List.of(Block.Fact.of("Test", result.test()))));
    blocks.add(
        FilledColumns.of(
            Block.Table.open(
                List.of(
                    Column.words("Target"),
                    Column.words("Verdict"),
                    Column.words("Measured"),
                    Column.words("Margin"),
                    Column.words("Over time")),
                result.targets().stream().map(target -> row(target).subList(0, BRIEF)).toList())));
    blocks.add(doubts());
    return new Report(title(), blocks);
  }

  private Block doubts() {
    return new Block.Bullets(
        result.doubts().stream()
            .map(
                doubt ->
                    new Cell(
                        doubt.topic() + ": " + doubt.text(),
                        doubt.weakens() ? Tone.WARNING : Tone.PLAIN))
            .toList());
  }

  private Cell title() {
    return switch (result.met()) {
      case MET -> new Cell("Targets met", Tone.GOOD);
      case MISSED -> new Cell("Targets missed: " + those(Met.MISSED), Tone.BAD);
      case CANNOT_TELL ->
          new Cell(
              "Cannot tell whether the targets are met: " + those(Met.CANNOT_TELL), Tone.WARNING);
    };
  }

  private String those(Met met) {
    return result.targets().stream()
        .filter(target -> target.met() == met)
        .map(
            target ->
                target.target()
                    + (met == Met.MISSED && !target.measured().isEmpty()
                        ? " (measured: " + target.measured() + ")"
                        : ""))
        .collect(Collectors.joining(", "));
  }

  private static List<Cell> row(TargetResult target) {
    return List.of(
        Cell.of(target.target()),
        new Cell(target.met().text(), tone(target.met())),
        Cell.of(target.measured()),
        Cell.of(target.margin()),
        Cell.of(target.sustained()),
        new Cell(target.source(), Tone.MUTED));
  }

  private static Tone tone(Met met) {
    return switch (met) {
      case MET -> Tone.GOOD;
      case MISSED -> Tone.BAD;
      case CANNOT_TELL -> Tone.WARNING;
    };
  }

  @Override
  public JsonNode json() {
    ObjectNode root = JsonText.document();
    root.put("conclusion", result.met().id());
    root.set("test", JsonText.text(result.test()));
    ArrayNode targets = root.putArray("targets");
    for (TargetResult target : result.targets()) {
      ObjectNode node = targets.addObject();
      node.set("target", JsonText.text(target.target()));
      node.put("verdict", target.met().id());
      node.set("measured", JsonText.text(target.measured()));
      node.set("margin", JsonText.text(target.margin()));
      node.set("sustained", JsonText.text(target.sustained()));
      node.set("source", JsonText.text(target.source()));
    }
    ArrayNode doubts = root.putArray("testValidity");
    for (TestDoubt doubt : result.doubts()) {
      ObjectNode node = doubts.addObject();
      node.set("topic", JsonText.text(doubt.topic()));
      node.put("weakens", doubt.weakens());
      node.set("text", JsonText.text(doubt.text()));
    }
    return root;
  }

  @Override
  public List<Check> checks() {
    return result.targets().stream().map(SloDocument::check).toList();
  }

  private static Check check(TargetResult target) {
    Check.Outcome outcome =
        switch (target.met()) {
          case MET -> Check.Outcome.PASSED;
          case MISSED -> Check.Outcome.FAILED;
          case CANNOT_TELL -> Check.Outcome.SKIPPED;
        };
    return new Check(
        target.target(),
        outcome,
        target.met().text() + ": " + target.measured(),
        target.sustained() + "\n[" + target.source() + "]");
  }
}
