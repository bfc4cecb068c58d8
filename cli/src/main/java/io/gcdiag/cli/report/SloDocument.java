package io.gcdiag.cli.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.gcdiag.cli.report.Printable.Check;
import io.gcdiag.loadtests.SloResult;
import io.gcdiag.loadtests.SloResult.Met;
import io.gcdiag.loadtests.SloResult.TargetResult;
import io.gcdiag.loadtests.SloResult.TestDoubt;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Whether a load test meets its targets, as a document. */
public record SloDocument(SloResult result) implements Printable {

  @Override
  public Report report() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Facts(List.of(Fact.of("Test", result.test()))));
    blocks.add(new Block.Heading("Targets"));
    blocks.add(
        columns()
            .add(Column.words("Source"), one -> new Cell(one.source(), Tone.MUTED))
            .of(result.targets()));
    blocks.add(new Block.Heading("The test itself"));
    blocks.add(doubts());
    return new Report(title(), blocks);
  }

  /** The targets, and the evidence for or against the test; sources are in the full report. */
  @Override
  public Report brief() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Facts(List.of(Fact.of("Test", result.test()))));
    blocks.add(columns().of(result.targets()).open().filled());
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

  private static Columns<TargetResult> columns() {
    return new Columns<TargetResult>()
        .words("Target", TargetResult::target)
        .add(Column.words("Verdict"), one -> new Cell(one.met().words(), tone(one.met())))
        .words("Measured", TargetResult::measured)
        .words("Margin", TargetResult::margin)
        .words("Over time", TargetResult::sustained);
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
    return Json.document(
        result,
        new SimpleModule()
            .setMixInAnnotation(SloResult.class, Answer.class)
            .setMixInAnnotation(TargetResult.class, Target.class));
  }

  @JsonPropertyOrder({"conclusion", "test", "targets", "testValidity"})
  private interface Answer {
    @JsonProperty("conclusion")
    Met met();

    @JsonProperty("testValidity")
    List<TestDoubt> doubts();
  }

  private interface Target {
    @JsonProperty("verdict")
    Met met();
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
        target.met().words() + ": " + target.measured(),
        target.sustained() + "\n[" + target.source() + "]");
  }
}
