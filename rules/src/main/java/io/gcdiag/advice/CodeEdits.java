package io.gcdiag.advice;

import io.gcdiag.accounts.locks.LockAdvice;
import io.gcdiag.accounts.locks.OwnersTime;
import io.gcdiag.advice.Place.Part;
import io.gcdiag.advice.Place.Role;
import io.gcdiag.evidence.profile.OwnCode.Activity;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.policy.Policy;
import java.util.List;
import java.util.Optional;

/** Changes to the service's own code. */
final class CodeEdits {

  /**
   * The JDK from which a blocked virtual thread leaves its carrier inside synchronized (JEP 491).
   */
  private static final String WITHOUT_PINNING = "JDK 24";

  private final SuspectContext suspect;

  CodeEdits(SuspectContext suspect) {
    this.suspect = suspect;
  }

  List<Edit> inCode() {
    return switch (suspect.hypothesis()) {
      case ALLOCATION_CHURN ->
          suspect.code(
              "allocate less per request: keep and reuse the result (a cache), or stream it");
      case MEMORY_LEAK ->
          suspect.code(
              "remove"
                  + suspect
                      .at(Role.CLASS)
                      .map(part -> " the objects of " + part.name())
                      .orElse(" the objects")
                  + " when they are no longer needed, or bound the collection that holds them (size, age)");
      case FINALIZER_BACKLOG ->
          suspect.code(
              "let no finalizer wait: close the objects where they are used (try-with-resources), and do"
                  + " this work there or in a thread of its own");
      case CPU_SATURATION -> suspect.code(less());
      case GC_LOCKER ->
          suspect.code(
              "pass smaller chunks to the native code, such as 16 KB at a time, not one large array");
      case DEADLOCK ->
          suspect.code(
              isOfClasses()
                  ? "initialize these classes in one thread before others use them, such as by"
                      + " Class.forName at the start"
                  : "acquire the locks in the same order everywhere, for example by the key of what they guard");
      case VIRTUAL_THREAD_PINNING ->
          suspect.code(
              (suspect
                          .at(Role.CODE)
                          .filter(part -> part.detail().startsWith(WorkerPlaces.SYNCHRONIZED))
                          .isPresent()
                      ? "replace synchronized"
                      : "replace the synchronized block or method around this blocking call, here or in a"
                          + " caller,")
                  + " by a ReentrantLock, or run on "
                  + WITHOUT_PINNING
                  + " or later");
      case SLOW_DISK ->
          suspect.code(
              "group the writes: one writer thread forces all queued records to disk at once, not each"
                  + " request its own");
      case THREAD_LEAK ->
          suspect.code(
              "stop what it starts: cancel the timer, shut the executor down, or share one");
      case EXCEPTION_STORM ->
          suspect.code(
              "validate the value before it is parsed or used, so that no exception is thrown");
      case SLOW_CLIENTS ->
          suspect.code(
              "write large responses asynchronously, or let a proxy in front of the service buffer them");
      case NATIVE_OR_UNKNOWN ->
          suspect.code("find what ends this wait and why it ends late; bound it with a timeout");
      case REQUESTS_SLEEP -> suspect.code(sleep());
      default -> List.of();
    };
  }

  /** Whether threads of a dump wait for each other's classes. */
  private boolean isOfClasses() {
    return suspect.timeline().dumps().stream()
        .flatMap(dump -> dump.threads().stream())
        .anyMatch(thread -> thread.subject().equals("class initialization"));
  }

  private String sleep() {
    return suspect.says("RateLimiter")
        ? "raise the limit of the rate limiter, or reject at once what exceeds it"
        : "wait for an event in place of a fixed time, or do not retry what fails each time";
  }

  private String less() {
    String callee =
        suspect
            .place()
            .flatMap(
                any -> new OwnPlaces(suspect.incident()).mostOfAll(Activity.RUNNING, spot -> true))
            .map(OwnPlaces.Seen::subject)
            .orElse("");
    if (callee.startsWith("java.util.regex.")) {
      return "simplify the regular expression (" + callee + "), the top of the CPU profile";
    }
    return callee.isEmpty()
        ? "do less here, at the top of the CPU profile"
        : "call " + callee + ", the top of the CPU profile, less often or make it cheaper";
  }

  /** What the owner of a lock mostly waits for, as the object of "move". */
  private static String what(OwnersTime time) {
    if (time.share(WaitKind.SLEEP) > time.share(WaitKind.DOWNSTREAM)) {
      return "move the sleep";
    }
    String name = time.names().getOrDefault(WaitKind.DOWNSTREAM, "");
    return "move the downstream call" + (name.isEmpty() ? "" : " (" + name + ")");
  }

  List<Edit> lock() {
    Optional<OwnersTime> owners = OwnersTime.of(suspect.incident());
    Optional<String> call =
        owners
            .filter(
                time ->
                    time.share(WaitKind.DOWNSTREAM) + time.share(WaitKind.SLEEP) >= Policy.MAJORITY)
            .map(time -> what(time) + " out of the lock");
    String remark = suspect.at(Role.LOCK).map(Part::name).map(LockAdvice::remark).orElse("");
    Optional<Part> owner = suspect.at(Role.OWNER);
    // If owner and waiting threads have the same caller, the lock is taken where they wait.
    boolean sameWay =
        owner
            .filter(
                part -> suspect.at(Role.CALLER).map(Part::name).equals(Optional.of(part.detail())))
            .isPresent();
    Optional<Part> where = sameWay ? suspect.at(Role.CODE) : owner.or(() -> suspect.at(Role.CODE));
    return where
        .map(
            part ->
                List.of(
                    Edit.code(
                        part.name(),
                        call.orElse("do less inside the lock, or hold one lock per key") + remark,
                        suspect.why())))
        .orElse(List.of());
  }
}
