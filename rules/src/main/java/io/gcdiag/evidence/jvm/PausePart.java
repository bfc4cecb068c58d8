package io.gcdiag.evidence.jvm;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Phases of a pause that can become most of it. */
public enum PausePart {
  /** JNI weak references, in logs of JDK 8 one of the kinds of references. */
  JNI_WEAK_REFERENCES(
      "JNI weak references",
      "find the agent or native library that creates them",
      "jni weak reference"),
  SOFT_REFERENCES(
      "soft references",
      "a smaller -XX:SoftRefLRUPolicyMSPerMB (default 1000) clears them sooner; better, bound the cache by its size",
      "softreference"),
  WEAK_REFERENCES(
      "weak references",
      "find what creates them in a class histogram (ThreadLocal, WeakHashMap, listeners)",
      "weakreference"),
  FINALIZERS(
      "objects with finalizers",
      "find their classes in a class histogram, and use java.lang.ref.Cleaner or close()",
      "finalreference",
      "finalizable"),
  PHANTOM_REFERENCES(
      "phantom references",
      "find what creates them in a class histogram (cleaners, drivers that watch for leaks)",
      "phantomreference"),
  /** Soft, weak, final and phantom references. */
  REFERENCES(
      "reference processing",
      "find what creates references in a class histogram",
      "reference processing",
      "ref proc",
      "ref-proc",
      "refs "),
  /** Unloading of classes, their loaders and code. */
  CLASSES(
      "class unloading",
      "create fewer classes and loaders (scripts, proxies, deserializers), or unload none (-XX:-ClassUnloading)",
      "unloading"),
  /** Tables of the JVM with weak references, such as the string table. */
  WEAK(
      "weak processing",
      "find what fills the JVM's tables of weak references (JNI, agents, interned strings)",
      "weak processing"),
  /** Compiled code that refers to objects. */
  CODE(
      "code roots",
      "take a later JDK, which shares the scan among its threads (G1: JDK 22)",
      "code root",
      "nmethod list"),
  /** Stacks, classes and, up to JDK 17, interned strings. */
  ROOTS("scanning of roots", "have fewer threads, classes and interned strings", "ext root scan"),
  /**
   * Of equal strings one array is kept; up to JDK 17 the table of them is gone through in pauses.
   */
  STRING_DEDUPLICATION(
      "string deduplication",
      "-XX:-UseStringDeduplication, or JDK 18, which does it outside pauses",
      "string dedup"),
  /** Of objects that live: more or less of them with the size of the young generation. */
  OBJECT_COPY(
      "object copy",
      "a shorter -XX:MaxGCPauseMillis makes the young generation smaller, a lower -XX:MaxTenuringThreshold copies survivors fewer times, more -XX:ParallelGCThreads share the work",
      "object copy"),
  /** Repair after objects could not be copied, because no memory was free. */
  FAILED_EVACUATION(
      "repair after an evacuation failure",
      "keep more of the heap free, or begin marking earlier (-XX:InitiatingHeapOccupancyPercent)",
      "evacuation failure",
      "self forward");

  private final String words;
  private final String action;
  private final String[] names;

  PausePart(String words, String action, String... names) {
    this.words = words;
    this.action = action;
    this.names = names;
  }

  /** The name in reports. */
  public String words() {
    return words;
  }

  /** Advice on how to shorten it. */
  public String action() {
    return action;
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
