package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Column;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How the markup language of a ticket writes the parts of a report. */
interface Markup {

  /** Text without what the language would take for markup, a mention or HTML. */
  String escape(String text);

  /** The same where it begins a line. */
  String lineStart(String escaped);

  String bold(String escaped);

  String title(String escaped);

  String heading(String escaped);

  String quote(String escaped);

  String bullet();

  String head(List<Column> columns);

  String row(List<String> cells);

  String code(String language, List<String> lines);

  /** Where details begin that are folded, if the language can. */
  String openFold(String escaped);

  String closeFold();

  /** Whether it draws Mermaid diagrams. */
  boolean draws();

  /**
   * Jira's wiki markup, which Confluence reads as well. It has no folds: details follow a title.
   */
  final class Jira implements Markup {

    private static final Pattern SPECIAL = Pattern.compile("[\\\\{}\\[\\]|*_~^!@]");

    /** Strikes out, underlines or becomes a dash, except inside of a word or before a blank. */
    private static final Pattern SIGN = Pattern.compile("(?<![\\p{L}\\p{N}])[-+](?=\\S)");

    /** Becomes a picture. */
    private static final Pattern SMILEY = Pattern.compile("\\((?=[xyni!/?+*-]\\))");

    private static final Pattern LIST = Pattern.compile("^(?=[#])");
    private static final String FENCE = "{noformat}";

    @Override
    public String escape(String text) {
      String plain = SPECIAL.matcher(text).replaceAll("\\\\$0");
      return SMILEY
          .matcher(SIGN.matcher(plain).replaceAll("\\\\$0"))
          .replaceAll("\\\\(")
          .replace("??", "?\\?");
    }

    @Override
    public String lineStart(String escaped) {
      return LIST.matcher(escaped).replaceFirst("\\\\");
    }

    @Override
    public String bold(String escaped) {
      return "*" + escaped + "*";
    }

    @Override
    public String title(String escaped) {
      return "h1. " + escaped + "\n";
    }

    @Override
    public String heading(String escaped) {
      return "h2. " + escaped + "\n";
    }

    @Override
    public String quote(String escaped) {
      return "bq. " + escaped + "\n";
    }

    @Override
    public String bullet() {
      return "* ";
    }

    @Override
    public String head(List<Column> columns) {
      return columns.stream()
          .map(column -> filled(escape(column.title())))
          .collect(Collectors.joining("||", "||", "||\n"));
    }

    @Override
    public String row(List<String> cells) {
      return cells.stream().map(Jira::filled).collect(Collectors.joining("|", "|", "|\n"));
    }

    /** An empty cell would be taken for the border of a heading. */
    private static String filled(String cell) {
      return cell.isBlank() ? " " : cell;
    }

    @Override
    public String code(String language, List<String> lines) {
      return lines.stream()
          .map(line -> line.replace(FENCE, "{ noformat}") + "\n")
          .collect(Collectors.joining("", FENCE + "\n", FENCE + "\n"));
    }

    @Override
    public String openFold(String escaped) {
      return bold(escaped) + "\n";
    }

    @Override
    public String closeFold() {
      return "";
    }

    @Override
    public boolean draws() {
      return false;
    }
  }
}
