package io.gcdiag.causes.cores;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.OwnPlaces.Seen;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.causes.memory.FlagSize;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.jvm.CpuProfile;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.JvmSample.CodeCacheFull;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
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

  private static final String LARGEST = Numbers.count(CpuProfile.LARGEST_COMPILED) + " bytes";

  public JitPressureCause() {
    super(
        Hypothesis.JIT_PRESSURE,
        "Interpreted code: code cache full, repeated deoptimization or a method too large",
        "raise -XX:ReservedCodeCacheSize and leave -XX:+UseCodeCacheFlushing on; "
            + "if the named method is deoptimized again and again, look at what varies "
            + "in it; if it is too large to compile, split it",
        List.of(new CodeCacheRule()),
        Trait.SEEN_IN_CPU);
  }

  @Override
  public void place(PlaceParts found) {
    Optional<String> tooLarge = InterpretedCode.of(found.incident()).tooLarge();
    if (tooLarge.isPresent()) {
      largeMethod(found, tooLarge.get());
      return;
    }
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

  private static void largeMethod(PlaceParts found, String method) {
    Optional<Seen> seen =
        found
            .own()
            .mostOfAll(Activity.RUNNING, spot -> spot.place().method().equals(method))
            .filter(at -> at.place().method().equals(method));
    found.code(seen);
    if (seen.isEmpty()) {
      found.timeline().profiles().cpu().source().stream()
          .map(source -> new Part(Role.CODE, method, source))
          .forEach(found::add);
    }
  }

  @Override
  public Optional<String> kind(SuspectContext suspect) {
    InterpretedCode code = InterpretedCode.of(suspect.incident());
    if (code.tooLarge().isPresent()) {
      return Optional.of("Method too large to compile: hot code runs interpreted");
    }
    if (suspect.by("collection-cause").findFirst().isPresent()) {
      return Optional.of("Code cache nearly full: it has the heap collected");
    }
    if (code.full().isPresent() || suspect.by("logged-errors").findFirst().isPresent()) {
      return Optional.of("Code cache full: hot code runs interpreted");
    }
    return code.hasCause()
        ? Optional.of("Repeated deoptimization: hot code runs interpreted")
        : Optional.empty();
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    if (InterpretedCode.of(suspect.incident()).tooLarge().isPresent()) {
      return suspect.code(
          "split it into methods of less than "
              + LARGEST
              + " of bytecode each, or until then start with -XX:-DontCompileHugeMethods");
    }
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

  /**
   * Asks whether the service runs interpreted because its code is not compiled, or not kept
   * compiled.
   */
  @Judges(
      value = Hypothesis.JIT_PRESSURE,
      needs = {Signal.CODE_CACHE, Signal.CPU_SAMPLES},
      standIns = Signal.CPU_SAMPLES)
  static final class CodeCacheRule implements Rule {

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      InterpretedCode found = InterpretedCode.of(incident);
      if (!found.hasCause()) {
        return found.isUnexplained() ? List.of(unexplained(incident, found)) : List.of();
      }
      RuntimeWork work = RuntimeWork.of(incident);
      FindingBuilder finding =
          Finding.of(id(), statement(found))
              .figure(
                  "samples of interpreted code",
                  found.interpretedBefore(),
                  found.interpreted(),
                  share -> new Ratio(share).toString())
              .value("interpreted", found.interpreted())
              .value("shareOfCpuGrowth", work.interpreted())
              .value("interpretedBefore", found.interpretedBefore())
              .value("compiledAfter", found.compiledAfter())
              .from(source(incident, found));
      incident.timeline().profiles().cpu().source().ifPresent(finding::from);
      if (found.tooLarge().isEmpty()
          && found.full().isPresent()
          && found.compiledAfter().isPresent()) {
        finding.figure(
            "methods compiled since the code cache of "
                + found.full().get().capacity()
                + " was full",
            Numbers.count(Math.round(found.compiledAfter().getAsDouble())));
      }
      found
          .returned()
          .filter(method -> found.full().isEmpty() && found.tooLarge().isEmpty())
          .ifPresent(
              method ->
                  finding.figure(
                      "deoptimizations of " + method.getKey(), Numbers.count(method.getValue())));

      found
          .tooLarge()
          .ifPresent(
              method ->
                  finding.figure(
                      "bytecode of " + method, "more than " + LARGEST + ", so it is not compiled"));

      boolean stopped = found.full().isPresent() && found.compiledAfter().orElse(1) == 0;
      if (found.interpreted() < Policy.NOTABLE) {
        // The code that the service needs is compiled, whether or not the code cache is full.
        finding.weakens(Hypothesis.JIT_PRESSURE);
        return List.of(finding.build());
      }
      boolean rose = found.interpreted() - found.interpretedBefore().orElse(0) >= Policy.NOTABLE;
      // If the compilers are off this does not end, so no baseline is needed.
      boolean stays = stopped && incident.baseline().isEmpty();
      finding.supports(
          Hypothesis.JIT_PRESSURE,
          found.interpreted() >= Policy.MAJORITY
              && (stays || rose && (stopped || found.isStorm() || found.tooLarge().isPresent())));
      finding
          .explains(Hypothesis.JIT_PRESSURE, Effect.RUNNING, work.interpreted())
          .samples(HotCode.samples(incident));
      AddedCpuTime.claim(incident, work.interpreted(), finding);
      return List.of(finding.build());
    }

    private static String statement(InterpretedCode found) {
      String what =
          found
              .tooLarge()
              .map(
                  method ->
                      method
                          + " is too large: HotSpot compiles no method of more than "
                          + LARGEST
                          + " of bytecode")
              .or(() -> found.full().map(full -> full(full) + compiled(found)))
              .orElseGet(() -> returned(found));
      return what + "; " + found.shares();
    }

    /** That it is not compiled is seen, and not why: no file excludes it. */
    private Finding unexplained(Incident incident, InterpretedCode found) {
      FindingBuilder finding =
          Finding.of(id(), found.shares() + ", and nothing shows why")
              .value("unexplainedInterpreted", found.interpreted())
              .leavesOpen(Hypothesis.JIT_PRESSURE);
      incident.timeline().profiles().cpu().source().ifPresent(finding::from);
      return finding.build();
    }

    private static String full(CodeCacheFull full) {
      return "the code cache of "
          + full.capacity()
          + (full.earlier() ? " was full before the recording started" : " was full");
    }

    private static String compiled(InterpretedCode found) {
      if (found.compiledAfter().isEmpty()) {
        return "";
      }
      double compiled = found.compiledAfter().getAsDouble();
      return compiled == 0
          ? ", and nothing was compiled from then on"
          : ", and " + Numbers.count(Math.round(compiled)) + " methods were compiled from then on";
    }

    private static String returned(InterpretedCode found) {
      return found
          .returned()
          .map(
              method ->
                  method.getKey()
                      + " was deoptimized "
                      + Numbers.count(method.getValue())
                      + " times")
          .orElse("");
    }

    private static List<Source> source(Incident incident, InterpretedCode found) {
      if (found.tooLarge().isPresent()) {
        return List.of();
      }
      return found
          .full()
          .map(CodeCacheFull::source)
          .map(List::of)
          .orElseGet(() -> List.of(incident.timeline().recorded("jdk.Deoptimization")));
    }
  }
}
