package io.gcdiag.evidence.jvm;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Work inside a pause that is neither marking nor moving objects, and can outgrow both. */
public enum PausePart {
  /** Soft, weak, final and phantom references. */
  REFERENCES(
      "reference processing",
      List.of(
          "reference processing", "notify ", "reconsider soft", "ref proc", "ref-proc", "refs ")),
  /** Classes, their loaders and code. */
  CLASSES("class unloading", List.of("unloading")),
  /** Tables of the JVM that hold objects weakly, such as that of strings. */
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
   * Which of them a phase is, by HotSpot's name for it: {@code Phase 1: Reference Processing}, of
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
