package io.gcdiag.verdict;

import io.gcdiag.books.Edit;
import io.gcdiag.books.OwnPlaces;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.causes.waits.LockAdvice;
import io.gcdiag.causes.waits.OwnersTime;
import io.gcdiag.causes.workers.WorkerPlaces;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.ResourceText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** Changes to the service's own code. */
final class CodeEdits {

  /** What there is to change in the code, where that is the same whatever the files show. */
  private static final Map<String, List<String>> EDITS =
      ResourceText.table(CodeEdits.class, "code-edits.txt");

  /**
   * The JDK from which a blocked virtual thread leaves its carrier inside synchronized (JEP 491).
   */
  private static final String WITHOUT_PINNING = "JDK 24";

  /**
   * Names of classes that hash passwords, of Spring Security, jBCrypt, Bouncy Castle and others.
   */
  private static final Pattern PASSWORD_HASHING =
      Pattern.compile("(?i)bcrypt|scrypt|argon2|pbkdf2|PBEKeyFactory");

  private final SuspectContext suspect;

  CodeEdits(SuspectContext suspect) {
    this.suspect = suspect;
  }

  List<Edit> inCode() {
    return switch (suspect.hypothesis()) {
      case MEMORY_LEAK ->
          suspect.code(
              "remove"
                  + suspect
                      .at(Role.CLASS)
                      .map(part -> " the objects of " + part.name())
                      .orElse(" the objects")
                  + " when they are no longer needed, or bound the collection that holds them (size, age)");
      case CPU_SATURATION -> suspect.code(less());
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
      case REQUESTS_SLEEP -> suspect.code(sleep());
      case SLOW_DISK -> suspect.code(disk());
      default ->
          EDITS.getOrDefault(suspect.hypothesis().id(), List.of()).stream()
              .flatMap(text -> suspect.code(text).stream())
              .toList();
    };
  }

  /** Whether threads of a dump wait for each other's classes. */
  private boolean isOfClasses() {
    return suspect.timeline().dumps().stream()
        .flatMap(dump -> dump.threads().stream())
        .anyMatch(thread -> thread.subject().equals("class initialization"));
  }

  private String disk() {
    return suspect.at(Role.FILE).filter(f -> f.name().equals(WaitSite.STANDARD_OUTPUT)).isPresent()
        ? "what reads standard output (a log shipper, the container's runtime) is slower than the service"
            + " writes: write less, or log through an asynchronous appender that drops events (Logback:"
            + " AsyncAppender with neverBlock)"
        : "group the writes: one writer thread forces all queued records to disk at once, not each"
            + " request its own";
  }

  private String sleep() {
    return suspect.says("RateLimiter")
        ? "raise the limit of the rate limiter, or reject at once what exceeds it"
        : "wait for an event in place of a fixed time, or do not retry what fails each time";
  }

  private String less() {
    OwnPlaces places = new OwnPlaces(suspect.incident());
    String callee =
        suspect
            .place()
            .flatMap(any -> places.mostOfAll(Activity.RUNNING, spot -> true))
            .map(OwnPlaces.Seen::subject)
            .orElse("");
    if (PASSWORD_HASHING.matcher(callee).find()
        || PASSWORD_HASHING.matcher(places.mostRunInDumps()).find()) {
      return boundHashing();
    }
    if (callee.startsWith("java.util.regex.")) {
      return "simplify the regular expression (" + callee + "), the top of the CPU profile";
    }
    return callee.isEmpty()
        ? "do less here, at the top of the CPU profile"
        : "call " + callee + ", the top of the CPU profile, less often or make it cheaper";
  }

  /** More at a time than there are cores only makes each of them wait for the others. */
  private String boundHashing() {
    OptionalInt cores = suspect.timeline().jvm().cpus();
    return "password hashing is slow on purpose, keep its strength: let no more than "
        + (cores.isPresent()
            ? Numbers.counted(cores.getAsInt(), "of these call")
            : "one call a core")
        + " run at a time (a semaphore, or an executor of as many threads), limit the rate of logins"
        + " before it, or add cores";
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
