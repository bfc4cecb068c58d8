package io.gcdiag.evidence.jvm;

import io.gcdiag.units.ResourceText;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Phases of a pause that can become most of it. */
public enum PausePart {
  /** JNI weak references, in logs of JDK 8 one of the kinds of references. */
  JNI_WEAK_REFERENCES("jni weak reference"),
  SOFT_REFERENCES("softreference"),
  WEAK_REFERENCES("weakreference"),
  FINALIZERS("finalreference", "finalizable"),
  PHANTOM_REFERENCES("phantomreference"),
  /** Soft, weak, final and phantom references. */
  REFERENCES("reference processing", "ref proc", "ref-proc", "refs "),
  /** Unloading of classes, their loaders and code. */
  CLASSES("unloading"),
  /** Tables of the JVM with weak references, such as the string table. */
  WEAK("weak processing"),
  /** Compiled code that refers to objects. */
  CODE("code root", "nmethod list"),
  /** Stacks, classes and, up to JDK 17, interned strings. */
  ROOTS("ext root scan"),
  /**
   * Of equal strings one array is kept; up to JDK 17 the table of them is gone through in pauses.
   */
  STRING_DEDUPLICATION("string dedup"),
  /** Of objects that live: more or less of them with the size of the young generation. */
  OBJECT_COPY("object copy"),
  /** Repair after objects could not be copied, because no memory was free. */
  FAILED_EVACUATION("evacuation failure", "self forward");

  private static final Map<String, List<String>> TEXTS =
      ResourceText.table(PausePart.class, "pause-parts.txt");

  private final String[] names;

  PausePart(String... names) {
    this.names = names;
  }

  /** The name in reports. */
  public String words() {
    return TEXTS.get(name()).get(0);
  }

  /** Advice on how to shorten it. */
  public String action() {
    return TEXTS.get(name()).get(1);
  }

  /** Whether it is a kind of {@link #REFERENCES}, whose time is part of theirs. */
  public boolean isKindOfReferences() {
    return compareTo(REFERENCES) < 0;
  }

  /** Whether the heap's room or what lives in it makes it long, and nothing of its own. */
  public boolean isOfHeap() {
    return this == OBJECT_COPY || this == FAILED_EVACUATION;
  }

  /**
   * The part that a phase belongs to, by HotSpot's name: {@code Phase 1: Reference Processing}, on
   * JDK 8 {@code weak refs processing}.
   */
  public static Optional<PausePart> of(String phase) {
    String name = phase.toLowerCase(Locale.ROOT);
    for (PausePart part : values()) {
      if (Stream.of(part.names).anyMatch(name::contains)) {
        return Optional.of(part);
      }
    }
    return Optional.empty();
  }
}
