package io.gcdiag.read.text;

import io.gcdiag.units.Bytes;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Flags of the JVM as its tools print them. */
final class FlagText {

  /** Longest name of a flag and longest value kept; a path may be as long as the latter. */
  private static final int LONGEST_VALUE = 4_096;

  /**
   * One line of {@code VM.flags -all} or {@code -XX:+PrintFlagsFinal}: type, name, value, kind and,
   * from JDK 9 on, origin. JDK 8 writes {@code :=} for a value that is not the default.
   */
  private static final Pattern TABLE_LINE =
      Pattern.compile(
          "^\\s*(?:bool|u?intx?|uint64_t|size_t|double|ccstr|ccstrlist)\\s+(\\w{1,100})\\s+(:?=)"
              + "(.*?)\\s*\\{[^{}]*\\}(?:\\s*\\{([^{}]*)\\})?\\s*$");

  /** One line under {@code Heap Configuration:}: the number of bytes, in brackets in MB. */
  private static final Pattern HEAP_LINE =
      Pattern.compile("^\\s+(\\w{1,100})\\s+= (\\d{1,20})(?: \\(\\S+MB\\)| MB)?\\s*$");

  private static final Pattern OPTION =
      Pattern.compile("^-XX:(?:([+-])(\\w{1,100})|(\\w{1,100})=(.*))$");

  private static final Pattern SIZE_OPTION =
      Pattern.compile("^-X(mx|ms|mn)(\\d{1,18}[kKmMgGtT]?)$");

  private static final Map<String, String> SIZES =
      Map.of("mx", "MaxHeapSize", "ms", "InitialHeapSize", "mn", "NewSize");

  private FlagText() {}

  /**
   * A flag.
   *
   * @param name without {@code -XX:}
   * @param value as text; sizes as a number of bytes
   * @param origin who set it, in the words that recordings use; empty if not stated
   */
  record Setting(String name, String value, String origin) {}

  /** The flag in a line of a table of flags. */
  static Optional<Setting> ofTable(String line) {
    Matcher matcher = TABLE_LINE.matcher(line);
    return matcher.matches()
        ? Optional.of(setting(matcher.group(1), matcher.group(3).strip(), origin(matcher)))
        : Optional.empty();
  }

  /** The flag in a line under {@code Heap Configuration:}. */
  static Optional<Setting> ofHeap(String line) {
    Matcher matcher = HEAP_LINE.matcher(line);
    // A limit of 17592186044415 MB is none.
    return matcher.matches() && !line.stripTrailing().endsWith(" MB")
        ? Optional.of(setting(matcher.group(1), matcher.group(2), ""))
        : Optional.empty();
  }

  /** The flag that an option of the command line sets; nothing for options that are no flags. */
  static Optional<Setting> ofOption(String option, String origin) {
    Matcher flag = OPTION.matcher(option);
    if (flag.matches()) {
      return Optional.of(
          flag.group(2) != null
              ? setting(flag.group(2), Boolean.toString(flag.group(1).equals("+")), origin)
              : setting(flag.group(3), flag.group(4), origin));
    }
    Matcher size = SIZE_OPTION.matcher(option);
    return size.matches()
        ? Optional.of(
            setting(
                SIZES.get(size.group(1)),
                Long.toString(Bytes.parse(size.group(2)).value()),
                origin))
        : Optional.empty();
  }

  private static Setting setting(String name, String value, String origin) {
    String kept = value.length() > LONGEST_VALUE ? value.substring(0, LONGEST_VALUE) : value;
    return new Setting(name, kept, origin);
  }

  private static String origin(Matcher line) {
    if (line.group(4) != null) {
      return capitalised(line.group(4));
    }
    return line.group(2).equals("=") ? "Default" : "";
  }

  private static String capitalised(String text) {
    String words = text.strip();
    return words.isEmpty()
        ? ""
        : words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }
}
