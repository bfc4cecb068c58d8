package io.gcdiag.causes.cores;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.OwnPlaces;
import io.gcdiag.books.OwnPlaces.Seen;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** The JVM's own work fills its cores. */
public final class CpuSaturationCause extends Cause {

  /** Class names for password hashing in Spring Security, jBCrypt, Bouncy Castle and others. */
  private static final Pattern PASSWORD_HASHING =
      Pattern.compile("(?i)bcrypt|scrypt|argon2|pbkdf2|PBEKeyFactory");

  public CpuSaturationCause() {
    super(
        Hypothesis.CPU_SATURATION,
        "CPU saturation by the service's own work",
        "profile the hot methods and do less of that work, or add cores; an "
            + "executor sized to the cores shortens the longest waits but serves no more "
            + "requests",
        Trait.LENGTHENS_PAUSES,
        Trait.SEEN_IN_CPU);
  }

  @Override
  public List<Rule> rules() {
    return List.of(new CpuDemandRule(), new CpuLoadRule(), new LateWakesRule());
  }

  @Override
  public void place(PlaceParts found) {
    found.code(found.own().mostOfAll(Activity.RUNNING).or(found.own()::runningInDumps));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.code(less(suspect));
  }

  private static String less(SuspectContext suspect) {
    OwnPlaces places = new OwnPlaces(suspect.incident());
    String callee =
        suspect
            .place()
            .flatMap(any -> places.mostOfAll(Activity.RUNNING, spot -> true))
            .map(Seen::subject)
            .orElse("");
    if (PASSWORD_HASHING.matcher(callee).find()
        || PASSWORD_HASHING.matcher(places.mostRunInDumps()).find()) {
      return boundHashing(suspect.timeline().jvm().cpus());
    }
    if (callee.startsWith("java.util.regex.")) {
      return "simplify the regular expression (" + callee + "), the top of the CPU profile";
    }
    return callee.isEmpty()
        ? "do less here, at the top of the CPU profile"
        : "call " + callee + ", the top of the CPU profile, less often or make it cheaper";
  }

  /** More concurrent tasks than cores only wait for each other. */
  private static String boundHashing(OptionalInt cores) {
    return "password hashing is slow on purpose, keep its strength: let no more than "
        + (cores.isPresent()
            ? Numbers.counted(cores.getAsInt(), "of these call")
            : "one call a core")
        + " run at a time (a semaphore, or an executor of as many threads), limit the rate of logins"
        + " before it, or add cores";
  }

  @Override
  public int askedFirst() {
    return 4;
  }
}
