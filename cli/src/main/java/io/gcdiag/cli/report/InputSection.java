package io.gcdiag.cli.report;

import io.gcdiag.cli.report.Report.Section;
import io.gcdiag.diagnosis.Diagnosis;
import io.gcdiag.evidence.InputReport;
import io.gcdiag.evidence.Source;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** What was read: the places that every source in the report points to. */
final class InputSection {

  private InputSection() {}

  static Section of(Diagnosis diagnosis) {
    List<List<Cell>> rows =
        IntStream.range(0, diagnosis.inputs().size())
            .mapToObj(i -> row(i, diagnosis.inputs().get(i)))
            .toList();
    if (rows.isEmpty()) {
      return new Section("Inputs", List.of());
    }
    return new Section(
        "Inputs",
        List.of(
            new Block.Details(
                Cell.of("What was read of each file"),
                List.of(
                    new Block.Table(
                        List.of(
                            Column.words("File"),
                            Column.words("Format"),
                            Column.words("Read"),
                            Column.words("Note")),
                        rows)),
                false)));
  }

  private static List<Cell> row(int index, InputReport input) {
    boolean sound = input.status() == InputReport.Status.OK;
    return List.of(
        Cell.of(input.file()).at(id(index)),
        Cell.of(input.format()),
        new Cell(input.status().name().toLowerCase(Locale.ROOT), sound ? Tone.GOOD : Tone.WARNING),
        new Cell(input.note(), Tone.MUTED));
  }

  /** A source, pointing to the input that it belongs to. */
  static Cell cell(Diagnosis diagnosis, Source source) {
    Cell cell = Cell.of(source.toString());
    for (int i = 0; i < diagnosis.inputs().size(); i++) {
      if (diagnosis.inputs().get(i).file().equals(source.file())) {
        return cell.to(id(i));
      }
    }
    return cell;
  }

  private static String id(int index) {
    return "input-" + (index + 1);
  }
}
