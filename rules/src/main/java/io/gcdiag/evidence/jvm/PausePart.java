package io.gcdiag.evidence.jvm;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Phases of a pause other than marking and moving objects, which can become longer than both. */
public enum PausePart {
  /** Soft, weak, final and phantom references. */
  REFERENCES(
      "reference processing",
      List.of(
          "reference processing", "notify ", "reconsider soft", "ref proc", "ref-proc", "refs ")),
  /** Unloading of classes, their loaders and code. */
  CLASSES("class unloading", List.of("unloading")),
  /** Tables of the JVM with weak references, such as the string table. */
  WEAK("weak processing", List.of("weak processing")),
  /** Compiled code that refers to objects. */
  CODE("code roots", List.of("code root", "nmethod list"));

  private final String words;
  private final List<String> names;

  PausePart(String words, List<String> names) {
    this.words = words;
    this.names = names;
  }

  /** For people. */
  public String words() {
    return words;
  }

  /**
   * The part that a phase belongs to, by HotSpot's name: {@code Phase 1: Reference Processing}, on
   * JDK 8 {@code weak refs processing}.
   */
  public static Optional<PausePart> of(String phase) {
    String name = phase.toLowerCase(Locale.ROOT);
    for (PausePart part : values()) {
      if (part.names.stream().anyMatch(name::contains)) {
        return Optional.of(part);
      }
    }
    return Optional.empty();
  }
}
