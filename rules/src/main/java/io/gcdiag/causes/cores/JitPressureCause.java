package io.gcdiag.causes.cores;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.causes.memory.FlagSize;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.units.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Hot code runs in the interpreter. */
public final class JitPressureCause extends Cause {

  /** The default code cache size with tiered compilation (HotSpot's compilationPolicy). */
  private static final Bytes DEFAULT_CODE_CACHE = Bytes.ofMebi(240);

  /** HotSpot refuses to start with more (CODE_CACHE_SIZE_LIMIT). */
  private static final Bytes LARGEST_CODE_CACHE = Bytes.ofMebi(2048);

  private static final String SIZE = "ReservedCodeCacheSize";

  public JitPressureCause() {
    super(
        Hypothesis.JIT_PRESSURE,
        "Interpreted code: code cache full or repeated deoptimization",
        "raise -XX:ReservedCodeCacheSize and leave -XX:+UseCodeCacheFlushing on; "
            + "if the named method is deoptimized again and again, look at what varies "
            + "in it",
        Trait.SEEN_IN_CPU);
  }

  @Override
  public List<Rule> rules() {
    return List.of(new CodeCacheRule());
  }

  @Override
  public void place(PlaceParts found) {
    found
        .timeline()
        .jvm()
        .flag(SIZE)
        .ifPresent(
            flag ->
                found.add(
                    new Part(
                        Role.SETTING,
                        "-XX:" + SIZE + "=" + FlagSize.of(flag.value()),
                        flag.source())));
  }

  @Override
  public Optional<String> kind(SuspectContext suspect) {
    if (suspect.says("code cache")) {
      return Optional.of("Code cache full: hot code runs interpreted");
    }
    return suspect.says("deoptimized")
        ? Optional.of("Repeated deoptimization: hot code runs interpreted")
        : Optional.empty();
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    List<Edit> edits = new ArrayList<>();
    JvmFacts jvm = suspect.timeline().jvm();
    jvm.flag(SIZE)
        .filter(flag -> Bytes.parse(flag.value()).compareTo(LARGEST_CODE_CACHE) < 0)
        .ifPresent(
            flag ->
                edits.add(
                    Edit.flag(
                        "-XX:" + SIZE,
                        Optional.of(FlagSize.of(flag.value())),
                        FlagSize.of(larger(Bytes.parse(flag.value()))),
                        suspect.why())));
    jvm.flag("UseCodeCacheFlushing")
        .filter(flag -> flag.value().equals("false"))
        .ifPresent(
            flag ->
                edits.add(
                    Edit.flag("-XX:+UseCodeCacheFlushing", Optional.empty(), "", suspect.why())));
    return edits;
  }

  private static Bytes larger(Bytes now) {
    if (now.compareTo(DEFAULT_CODE_CACHE) < 0) {
      return DEFAULT_CODE_CACHE;
    }
    // JDK 25 reserves one page more than 240 MiB, so the size is rounded to whole MiB.
    Bytes twice = Bytes.ofMebi(2 * now.value() / Bytes.ofMebi(1).value());
    return twice.compareTo(LARGEST_CODE_CACHE) < 0 ? twice : LARGEST_CODE_CACHE;
  }
}
