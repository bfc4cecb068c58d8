package io.gcdiag.cli.report;

import io.gcdiag.cli.report.Report.Section;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.figures.Metric.Origin;
import io.gcdiag.verdict.Diagnosis;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The windows, and the files that were read, to which the sources in the report link. */
final class InputSection {

  static Section of(Diagnosis diagnosis, ZoneId zone) {
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Facts(Opening.around(diagnosis, zone)));
    List<InputReport> inputs = diagnosis.inputs();
    List<Integer> shown = shown(inputs);
    if (!shown.isEmpty()) {
      blocks.add(
          new Block.Details(
              Cell.of("What was read of each file"),
              List.of(isPlain(inputs) ? byFormat(inputs, shown) : remarks(inputs, shown)),
              false));
    }
    return new Section("Windows and inputs", blocks);
  }

  /** Unused files are left out if the facts name all of them. */
  private static List<Integer> shown(List<InputReport> inputs) {
    boolean few = Opening.isEachUnusedNamed(inputs);
    return IntStream.range(0, inputs.size())
        .filter(i -> !few || inputs.get(i).status() != InputReport.Status.UNUSED)
        .boxed()
        .toList();
  }

  /** Whether all files were read completely and without a note: then no table is needed. */
  private static boolean isPlain(List<InputReport> inputs) {
    return shown(inputs).stream()
        .map(inputs::get)
        .allMatch(input -> input.status() == InputReport.Status.OK && input.note().isBlank());
  }

  private static Block byFormat(List<InputReport> inputs, List<Integer> shown) {
    Map<String, String> files = new LinkedHashMap<>();
    shown.stream()
        .map(inputs::get)
        .forEach(
            input -> files.merge(input.format(), input.file(), (one, more) -> one + ", " + more));
    return new Block.Facts(
        files.entrySet().stream()
            .map(
                format ->
                    new Fact(
                        format.getKey(),
                        Cell.of(format.getValue()).at(id(first(inputs, format.getKey())))))
            .toList());
  }

  private static int first(List<InputReport> inputs, String format) {
    return IntStream.range(0, inputs.size())
        .filter(i -> inputs.get(i).format().equals(format))
        .findFirst()
        .orElseThrow();
  }

  private static Block remarks(List<InputReport> inputs, List<Integer> shown) {
    return new Columns<Integer>()
        .add(Column.words("File"), i -> Cell.of(inputs.get(i).file()).at(id(i)))
        .words("Format", i -> inputs.get(i).format())
        .add(Column.words("Read"), i -> status(inputs.get(i)))
        .add(Column.words("Note"), i -> new Cell(inputs.get(i).note(), Tone.MUTED))
        .of(shown);
  }

  private static Cell status(InputReport input) {
    String status = input.status().id().replace('-', ' ');
    return new Cell(status, input.isAffected() ? Tone.WARNING : Tone.GOOD);
  }

  static Cell cell(Diagnosis diagnosis, Source source) {
    return linked(diagnosis, Cell.of(source.toString()), source.file());
  }

  /** Text that names an input, linked to that. */
  private static Cell linked(Diagnosis diagnosis, Cell cell, String file) {
    List<InputReport> inputs = diagnosis.inputs();
    return IntStream.range(0, inputs.size())
        .filter(i -> inputs.get(i).file().equals(file))
        .mapToObj(i -> cell.to(id(isPlain(inputs) ? first(inputs, inputs.get(i).format()) : i)))
        .findFirst()
        .orElse(cell);
  }

  /** The same without the name of the recording if there is only one. */
  static Cell briefly(Diagnosis diagnosis, Origin origin) {
    List<String> recordings =
        diagnosis.inputs().stream()
            .filter(input -> input.format().equals(InputReport.RECORDING))
            .filter(input -> input.status() != InputReport.Status.LEFT_OUT)
            .map(InputReport::file)
            .toList();
    String alone = recordings.size() == 1 ? recordings.get(0) : "";
    boolean ofIt =
        !origin.event().isEmpty()
            || origin.isOf(alone) && !origin.source().orElseThrow().place().isEmpty();
    return linked(
        diagnosis,
        new Cell(ofIt ? origin.within() : origin.toString(), Tone.MUTED),
        origin.source().map(Source::file).orElse(origin.event().isEmpty() ? "" : alone));
  }

  private static String id(int index) {
    return "input-" + (index + 1);
  }
}
