package io.gcdiag.read.gclog;

import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.PauseType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A pause's name in a unified log.
 *
 * <pre>
 * Pause Young (Concurrent Start) (G1 Humongous Allocation) (Evacuation Failure: Pinned)
 * Pause Full (System.gc())
 * Pause Mark Start (Major)
 * </pre>
 *
 * <p>G1's young collection that also starts a marking counts as a young one, because it spends its
 * time on evacuation. Shenandoah's degenerated collection finishes a concurrent cycle in a pause.
 * It is no full GC, because Shenandoah prints full GCs under that name; so it is {@link
 * PauseKind#OTHER} with its name as the cause.
 *
 * @param cause the cause in the JVM's words, or empty
 * @param evacuationFailure whether the name states that objects could not be moved
 */
record PauseName(PauseKind kind, String cause, boolean evacuationFailure) {

  static final String NATIVE_FULL = "Pause Full GC";

  static PauseName of(String text) {
    int bracket = text.indexOf(" (");
    String name = bracket < 0 ? text.strip() : text.substring(0, bracket).strip();
    boolean mixed = name.equals("Pause Mixed");
    boolean failure = false;
    String cause = "";
    for (String group : groups(text)) {
      String lower = group.toLowerCase(Locale.ROOT);
      if (lower.startsWith("evacuation failure") || lower.startsWith("to-space ")) {
        failure = true;
      } else if (group.equals("Mixed")) {
        mixed = true;
      } else if (!isYoungType(group) && cause.isEmpty()) {
        cause = group;
      }
    }
    PauseKind kind = kind(name, mixed, !cause.isEmpty());
    boolean collection =
        kind == PauseKind.YOUNG || kind == PauseKind.MIXED || kind == PauseKind.FULL;
    if (name.equals("Pause Degenerated GC")) {
      cause = "Degenerated GC";
    } else if (!collection) {
      // For this kind, parentheses contain a variant of the phase and not a cause.
      cause = "";
    }
    return new PauseName(kind, cause, failure);
  }

  PauseType type() {
    return new PauseType(kind, cause, evacuationFailure);
  }

  private static boolean isYoungType(String group) {
    return group.equals("Normal")
        || group.equals("Prepare Mixed")
        || group.equals("Concurrent Start");
  }

  private static PauseKind kind(String name, boolean mixed, boolean hasCause) {
    return switch (name) {
      case "Pause Young", "Pause Mixed" -> mixed ? PauseKind.MIXED : PauseKind.YOUNG;
      case "Pause Full" -> PauseKind.FULL;
      // GraalVM's native images.
      case NATIVE_FULL -> PauseKind.FULL;
      case "Pause Incremental GC" -> PauseKind.YOUNG;
      // G1 of JDK 9 and 10 collects the young generation under this name and gives a cause.
      case "Pause Initial Mark" -> hasCause ? PauseKind.YOUNG : PauseKind.MARK_START;
      case "Pause Init Mark", "Pause Mark Start" -> PauseKind.MARK_START;
      case "Pause Remark", "Pause Final Mark", "Pause Mark End" -> PauseKind.REMARK;
      case "Pause Cleanup",
          "Pause Relocate Start",
          "Pause Init Update Refs",
          "Pause Final Update Refs",
          "Pause Init Evac",
          "Pause Final Evac",
          "Pause Final Roots",
          "Pause Verify Final Roots" ->
          PauseKind.CLEANUP;
      default -> PauseKind.OTHER;
    };
  }

  /** The contents of the outermost parentheses; {@code (System.gc())} contains another pair. */
  static List<String> groups(String text) {
    List<String> groups = new ArrayList<>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '(' && depth++ == 0) {
        start = i + 1;
      } else if (text.charAt(i) == ')' && depth > 0 && --depth == 0) {
        groups.add(text.substring(start, i).strip());
      }
    }
    return groups;
  }
}
