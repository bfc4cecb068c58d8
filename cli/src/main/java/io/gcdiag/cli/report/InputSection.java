package io.gcdiag.cli.report;

import io.gcdiag.diagnosis.Diagnosis;
import io.gcdiag.evidence.source.InputReport;
import io.gcdiag.evidence.source.Source;
import java.util.List;
import java.util.stream.IntStream;

/** What was read: the places that every source in the report points to. */
final class InputSection {

  /** What names of events in recordings begin with. */
  private static final String EVENT = "jdk.";

  private InputSection() {}

  static List<Block> of(Diagnosis diagnosis) {
    // A few files that were not used stand with those that were.
    boolean few = Opening.isEachUnusedNamed(diagnosis.inputs());
    List<InputReport> inputs = diagnosis.inputs();
    List<Integer> shown =
        IntStream.range(0, inputs.size())
            .filter(i -> !few || inputs.get(i).status() != InputReport.Status.UNUSED)
            .boxed()
            .toList();
    if (shown.isEmpty()) {
      return List.of();
    }
    List<Column> columns =
        List.of(
            Column.words("File"),
            Column.words("Format"),
            Column.words("Read"),
            Column.words("Note"));
    // Where all were read without a remark, the last two columns would say nothing.
    boolean plain = shown.stream().map(inputs::get).allMatch(InputSection::isPlain);
    int width = plain ? 2 : columns.size();
    return List.of(
        new Block.Details(
            Cell.of("What was read of each file"),
            List.of(
                new Block.Table(
                    columns.subList(0, width),
                    shown.stream().map(i -> row(i, inputs.get(i)).subList(0, width)).toList(),
                    List.of(),
                    !plain)),
            false));
  }

  private static boolean isPlain(InputReport input) {
    return input.status() == InputReport.Status.OK && input.note().isBlank();
  }

  private static List<Cell> row(int index, InputReport input) {
    boolean sound = !input.isTroubled();
    return List.of(
        Cell.of(input.file()).at(id(index)),
        Cell.of(input.format()),
        new Cell(input.status().id().replace('-', ' '), sound ? Tone.GOOD : Tone.WARNING),
        new Cell(input.note(), Tone.MUTED));
  }

  /** A source, pointing to the input that it belongs to. */
  static Cell cell(Diagnosis diagnosis, Source source) {
    return linked(diagnosis, Cell.of(source.toString()));
  }

  /** Words that begin with the name of a file, pointing to the input of that name. */
  static Cell linked(Diagnosis diagnosis, Cell cell) {
    for (int i = 0; i < diagnosis.inputs().size(); i++) {
      if (begins(cell.text(), diagnosis.inputs().get(i).file())) {
        return cell.to(id(i));
      }
    }
    return cell;
  }

  /** The same, without the name of the recording where there is but one: its events tell. */
  static Cell briefly(Diagnosis diagnosis, String source) {
    Cell linked = linked(diagnosis, new Cell(source, Tone.MUTED));
    List<String> recordings =
        diagnosis.inputs().stream()
            .filter(input -> input.format().equals(InputReport.RECORDING))
            .filter(input -> input.status() != InputReport.Status.LEFT_OUT)
            .map(InputReport::file)
            .toList();
    if (recordings.size() != 1) {
      return linked;
    }
    String before = recordings.get(0) + " ";
    return source.startsWith(EVENT)
        ? linked(diagnosis, new Cell(before + source, Tone.MUTED)).saying(source)
        : source.startsWith(before) ? linked.saying(source.substring(before.length())) : linked;
  }

  /** {@code gc.log.1} does not begin with {@code gc.log}. */
  private static boolean begins(String text, String file) {
    return text.startsWith(file)
        && (text.length() == file.length() || " :,;".indexOf(text.charAt(file.length())) >= 0);
  }

  private static String id(int index) {
    return "input-" + (index + 1);
  }
}
