package io.gcdiag.causes.waits;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.policy.Policy;
import java.util.Optional;

/** What to change about a lock, by its kind and by what its owners waited for. */
final class LockAdvice {

  /** The head of a bin in a table of the JDK's concurrent map, and what stands for it. */
  private static final String BIN = "java.util.concurrent.ConcurrentHashMap$";

  private static final String BIN_IS_LOCKED =
      "; a ConcurrentHashMap locks a key, and those in the same bin, while the function given to"
          + " compute, computeIfAbsent or merge runs";

  private LockAdvice() {}

  /**
   * Absent where nothing is known that the general advice does not say.
   *
   * @param lock class of the lock, or empty
   * @param where the code that asks for the lock, or empty
   */
  static Optional<String> of(Optional<OwnersTime> owners, String lock, String where) {
    boolean known = !where.isEmpty() && !where.equals(lock);
    String asked = known ? " that " + where + " waits for" : "";
    String place = known ? " in " + where : "";
    boolean bin = lock.startsWith(BIN);
    Optional<String> outside =
        owners.flatMap(
            own -> outside(own, WaitKind.DOWNSTREAM).or(() -> outside(own, WaitKind.SLEEP)));
    return outside
        .map(what -> what + " the lock" + asked + ": other callers wait while it runs")
        .or(() -> bin ? Optional.of("shorten what runs inside the lock" + place) : Optional.empty())
        .map(advice -> advice + remark(lock));
  }

  /** What one has to know of a lock of that class to change it; may be empty. */
  static String remark(String lock) {
    return lock.startsWith(BIN) ? BIN_IS_LOCKED : "";
  }

  private static Optional<String> outside(OwnersTime owners, WaitKind kind) {
    if (owners.share(kind) < Policy.MAJORITY) {
      return Optional.empty();
    }
    String name = owners.names().getOrDefault(kind, "");
    return Optional.of(
        kind == WaitKind.SLEEP
            ? "sleep outside"
            : "make the calls" + (name.isEmpty() ? "" : " to " + name) + " outside");
  }
}
