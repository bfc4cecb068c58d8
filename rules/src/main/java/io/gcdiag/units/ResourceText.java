package io.gcdiag.units;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The texts that come with this program: what names and messages mean, as data. */
public final class ResourceText {

  private ResourceText() {}

  /**
   * Opens a text.
   *
   * @param owner a class beside it
   * @throws IllegalStateException if it is missing from the program
   */
  public static BufferedReader open(Class<?> owner, String name) {
    return new BufferedReader(new InputStreamReader(stream(owner, name), StandardCharsets.UTF_8));
  }

  private static InputStream stream(Class<?> owner, String name) {
    InputStream in = owner.getResourceAsStream(name);
    if (in == null) {
      throw new IllegalStateException(name + " is missing from the program");
    }
    return in;
  }

  /** A whole text, its lines ended by a line feed on every system. */
  public static String whole(Class<?> owner, String name) {
    try (InputStream in = stream(owner, name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The lines of a text, without those that are empty or begin with {@code #}. */
  public static List<String> lines(Class<?> owner, String name) {
    try (BufferedReader text = open(owner, name)) {
      return text.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A text whose lines have tabs between their words: by the first word, the others. */
  public static Map<String, List<String>> table(Class<?> owner, String name) {
    return lines(owner, name).stream()
        .map(line -> List.of(line.split("\t")))
        .collect(
            Collectors.toUnmodifiableMap(row -> row.get(0), row -> row.subList(1, row.size())));
  }
}
