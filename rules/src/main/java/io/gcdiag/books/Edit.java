package io.gcdiag.books;

import io.gcdiag.units.Named;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One change, exact enough to be applied.
 *
 * @param kind where it is made
 * @param name the flag, the property, the setter, or the location in code or infrastructure
 * @param from the present value, if the files have it; {@code false} or {@code true} for a switch
 * @param to the new value; empty for a flag without a value
 * @param why the figures that it is derived from, or its purpose
 */
public record Edit(Kind kind, String name, Optional<String> from, String to, String why) {

  /** Arguments of a setter; any other text about code is a sentence. */
  private static final Pattern ARGUMENT = Pattern.compile("\\d+|true|false");

  /** The end of a code location. */
  private static final Pattern LINE = Pattern.compile(":\\d+$");

  /** Prefix of a switch that is turned off. */
  private static final String OFF = "-XX:-";

  /** Flags whose value follows without an equals sign. */
  private static final Pattern SHORT_FLAG = Pattern.compile("-X(?:m[snx]|ss)");

  /** Where a change is made. */
  public enum Kind implements Named {
    FLAG,
    /** A property of the service or its framework. */
    PROPERTY,
    /** The service's code. */
    CODE,
    /** The infrastructure that the service runs on or calls. */
    INFRASTRUCTURE;
  }

  public static Edit flag(String name, Optional<String> from, String to, String why) {
    return new Edit(Kind.FLAG, name, from, to, why);
  }

  public static Edit code(String place, String to, String why) {
    return new Edit(Kind.CODE, place, Optional.empty(), to, why);
  }

  public static Edit infrastructure(String name, Optional<String> from, String to, String why) {
    return new Edit(Kind.INFRASTRUCTURE, name, from, to, why);
  }

  /** Whether it names the line of code to change. */
  public boolean isAtLine() {
    return kind == Kind.CODE && LINE.matcher(name).find();
  }

  /** The new value; for a switch, the value that the JVM then reports. */
  public String value() {
    return kind == Kind.FLAG && to.isEmpty() ? String.valueOf(!name.startsWith(OFF)) : to;
  }

  /** The change without the present value. */
  public String change() {
    return switch (kind) {
      case FLAG -> to.isEmpty() || SHORT_FLAG.matcher(name).matches() ? name + to : name + "=" + to;
      case PROPERTY -> name + "=" + to;
      case CODE -> ARGUMENT.matcher(to).matches() ? name + "(" + to + ")" : name + ": " + to;
      case INFRASTRUCTURE -> name + ": " + to;
    };
  }

  /** In one line, as one would type it. */
  @Override
  public String toString() {
    return change() + from.map(now -> " (now " + now + ")").orElse("");
  }

  /** The present value, as one would type it; for a switch its opposite. */
  private Optional<String> present() {
    return from.map(
        now ->
            to.isEmpty()
                ? name.replaceFirst("(?<=^-XX:)\\+", "-")
                : SHORT_FLAG.matcher(name).matches() ? name + now : name + "=" + now);
  }

  /** Edits that are made together, in one line: {@code -Xms783m -Xmx783m (now 512m)}. */
  public static String together(List<Edit> edits) {
    boolean flags = edits.stream().allMatch(edit -> edit.kind() == Kind.FLAG);
    boolean same = edits.stream().map(Edit::from).distinct().count() == 1;
    if (!flags || edits.size() == 1) {
      return edits.stream().map(Edit::toString).collect(Collectors.joining("; "));
    }
    String changes = edits.stream().map(Edit::change).collect(Collectors.joining(" "));
    String now =
        same
            ? edits.get(0).from().orElse("")
            : edits.stream()
                .flatMap(edit -> edit.present().stream())
                .collect(Collectors.joining(" "));
    return changes + (now.isEmpty() ? "" : " (now " + now + ")");
  }
}
