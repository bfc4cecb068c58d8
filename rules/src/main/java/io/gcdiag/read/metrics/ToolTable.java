package io.gcdiag.read.metrics;

import io.gcdiag.evidence.time.Lazy;
import io.gcdiag.units.ResourceText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is read of the output of each tool; kept in the readable file {@value #RESOURCE}. */
final class ToolTable {

  static final String RESOURCE = "tools.txt";

  /** Every tool, in the order of the file. */
  static final List<Tool> TOOLS = read();

  /**
   * A tool. Every text is looked through for the marks of all of them, and few have one, so that
   * the rest of its lines is taken in when it is needed.
   */
  static final class Tool {
    private final String name;
    private final String mark;
    private final Lazy<Pattern> sign;
    private final List<String[]> lines = new ArrayList<>();
    private final Lazy<Contents> contents = new Lazy<>(() -> Contents.of(lines));

    private Tool(String[] words) {
      name = words[1];
      mark = words[2];
      sign = new Lazy<>(() -> Pattern.compile(words[3], Pattern.MULTILINE));
    }

    String name() {
      return name;
    }

    /** A text that is in every output. */
    String mark() {
      return mark;
    }

    Contents contents() {
      return contents.get();
    }

    boolean isIn(String text) {
      return text.contains(mark) && sign.get().matcher(text).find();
    }
  }

  /**
   * What is read of the output of a tool.
   *
   * @param tables tables that it prints
   * @param values series by the key of a line {@code key value}
   * @param forms other lines
   * @param hints what to do where none of its figures can be used
   */
  record Contents(
      List<Table> tables, Map<String, Output> values, List<Form> forms, List<String> hints) {

    private static Contents of(List<String[]> lines) {
      Contents contents =
          new Contents(new ArrayList<>(), new HashMap<>(), new ArrayList<>(), new ArrayList<>());
      lines.forEach(contents::add);
      return contents;
    }

    private void add(String[] words) {
      switch (words[0]) {
        case "table" -> tables.add(table(words));
        case "column" -> tables.get(tables.size() - 1).columns().put(words[1], Output.of(words[2]));
        case "hint" -> hints.add(words[1]);
        case "value" -> values.put(words[1], Output.of(words[2]));
        case "line" -> {
          List<Output> outputs = new ArrayList<>();
          for (int i = 2; i < words.length; i++) {
            outputs.add(Output.of(words[i]));
          }
          forms.add(new Form(Pattern.compile(words[1]), List.copyOf(outputs)));
        }
        default ->
            throw new IllegalStateException(RESOURCE + " has a line of no kind: " + words[0]);
      }
    }
  }

  /**
   * A series that a figure belongs to.
   *
   * @param series its name, as metric exporters call it
   * @param factor brings the figure to the unit that the name states
   * @param rate whether the first report has the mean since the start of the machine instead
   */
  record Output(String series, SortedMap<String, String> labels, double factor, boolean rate) {

    private static final Pattern FORM =
        Pattern.compile("(@?)([\\w.]+)(?:\\{([\\w=,]+)})?(?:\\*([\\d.e-]+))?");

    /** The same of what a row or line names, if it does. */
    Output with(String label, Optional<String> named) {
      SortedMap<String, String> more = new TreeMap<>(labels);
      named.ifPresent(value -> more.put(label, value));
      return new Output(series, more, factor, rate);
    }

    static Output of(String text) {
      Matcher matcher = FORM.matcher(text);
      if (!matcher.matches()) {
        throw new IllegalStateException(RESOURCE + " has no series like " + text);
      }
      SortedMap<String, String> labels = new TreeMap<>();
      if (matcher.group(3) != null) {
        for (String label : matcher.group(3).split(",")) {
          labels.put(label.split("=")[0], label.split("=")[1]);
        }
      }
      double factor = matcher.group(4) == null ? 1 : Double.parseDouble(matcher.group(4));
      return new Output(matcher.group(2), labels, factor, !matcher.group(1).isEmpty());
    }
  }

  /**
   * A table.
   *
   * @param words words of its heading
   * @param columns series by the word above the column
   * @param flags how rows are chosen and distinguished, by the name of the flag
   */
  record Table(Set<String> words, Map<String, Output> columns, Map<String, String> flags) {

    Optional<String> flag(String name) {
      return Optional.ofNullable(flags.get(name));
    }

    /** Whether each row is of a time of its own. */
    boolean rowsFollow() {
      return flags.containsKey("rows");
    }
  }

  /** A line with one figure for each group of its pattern. */
  record Form(Pattern pattern, List<Output> outputs) {}

  private static List<Tool> read() {
    List<Tool> tools = new ArrayList<>();
    for (String line : ResourceText.lines(ToolTable.class, RESOURCE)) {
      String[] words = line.split("\t");
      if (words[0].equals("tool")) {
        tools.add(new Tool(words));
      } else {
        tools.get(tools.size() - 1).lines.add(words);
      }
    }
    return List.copyOf(tools);
  }

  private static Table table(String[] words) {
    Map<String, String> flags = new HashMap<>();
    for (int i = 2; i < words.length; i++) {
      for (String word : words[i].split(" ")) {
        String[] flag = word.split("=", 2);
        flags.put(flag[0], flag.length > 1 ? flag[1] : "");
      }
    }
    return new Table(Set.of(words[1].split(" ")), new HashMap<>(), flags);
  }
}
