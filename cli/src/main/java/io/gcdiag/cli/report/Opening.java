package io.gcdiag.cli.report;

import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Remark;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import io.gcdiag.figures.InputLimit;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Numbers;
import io.gcdiag.verdict.Conclusion;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The first screen: the answer, how sure it is, what to do first, and what it rests on. */
final class Opening {

  /** With more inputs than this only their number is printed. */
  private static final int MOST_INPUTS = 6;

  private static final int MOST_UNUSED = 5;

  /** Each of these takes a line or two of the first screen. */
  private static final int MOST_NOTES = 2;

  /** Suffix of figures that cover the whole load test, not a window. */
  static final String WHOLE_TEST = ", whole test";

  static Cell title(Diagnosis diagnosis) {
    return switch (diagnosis.conclusion()) {
      case PRIMARY_SUSPECT -> new Cell(suspects(diagnosis), Tone.BAD);
      case HEALTHY -> new Cell("Healthy: no delay that users notice", Tone.GOOD);
      case UNDECIDED -> new Cell("Undecided: " + known(diagnosis), Tone.WARNING);
    };
  }

  /** What is known without a suspect: a lead, or what pauses are spent in. */
  private static String known(Diagnosis diagnosis) {
    return Answer.lead(diagnosis)
        .map(lead -> "a lead without proof (%s)".formatted(lead.hypothesis().id()))
        .or(
            () ->
                diagnosis
                    .told()
                    .shorterPauses()
                    .map(any -> "what GC pauses are spent in is known, not who is delayed"))
        .or(
            () ->
                diagnosis
                    .figures()
                    .stations(Station.Kind.BEFORE_SERVER)
                    .map(any -> "requests may wait " + Station.Kind.BEFORE_SERVER.title())
                    .findFirst())
        .orElse("not enough data to name a cause");
  }

  static List<Block> blocks(Diagnosis diagnosis, ZoneId zone) {
    List<Block> blocks = new ArrayList<>();
    ChartSection.overview(diagnosis, zone).ifPresent(blocks::add);
    Answer.summary(diagnosis).ifPresent(blocks::add);
    List<Fact> facts = new ArrayList<>(Answer.facts(diagnosis));
    if (diagnosis.conclusion() != Conclusion.HEALTHY) {
      facts.addAll(FiveChecks.of(diagnosis));
    }
    if (!facts.isEmpty()) {
      blocks.add(new Block.Facts(facts));
    }
    return blocks;
  }

  /** Windows, JVM, inputs, and how much is hidden. */
  static List<Fact> around(Diagnosis diagnosis, ZoneId zone) {
    List<Fact> facts = new ArrayList<>();
    addWindows(facts, diagnosis, zone);
    jvm(diagnosis.jvm()).ifPresent(text -> facts.add(Fact.of("JVM", text)));
    addInputs(
        facts, diagnosis.inputs(), diagnosis.limits().stream().map(InputLimit::text).toList());
    hidden(diagnosis.hidden()).ifPresent(facts::add);
    return facts;
  }

  /**
   * Whether the report has an incident window: not if healthy, nor if all of the recording was
   * used.
   */
  static boolean isIncident(Diagnosis diagnosis) {
    return diagnosis.conclusion() != Conclusion.HEALTHY
        && diagnosis.windows().chosenBy() != ChosenBy.WHOLE_RECORDING;
  }

  private static String suspects(Diagnosis diagnosis) {
    String first = diagnosis.primary().map(Judgement::title).orElse("not named");
    return DiagnosisDocument.rival(diagnosis)
        .map(other -> "Primary suspects, not separable: " + first + "; " + other.title())
        .orElse("Primary suspect: " + first);
  }

  /** The compared windows, why they were chosen, and the options that set them. */
  static void addWindows(List<Fact> facts, Diagnosis diagnosis, ZoneId zone) {
    Windows windows = diagnosis.windows();
    if (!windows.dated()) {
      facts.add(Fact.of("Windows", windows.reason()));
      return;
    }
    facts.add(
        Fact.of(
            isIncident(diagnosis) ? "Incident" : "Analyzed",
            FigureText.window(windows.incident(), zone)));
    facts.add(
        windows
            .baseline()
            .map(window -> Fact.of("Baseline", FigureText.window(window, zone) + later(windows)))
            .orElse(Fact.of("Baseline", "none found")));
    facts.add(
        new Fact(
            "Windows",
            List.of(
                new Cell(chosen(windows), Tone.MUTED),
                new Cell("to set them: " + WindowFlags.of(windows), Tone.MUTED))));
    if (isIncident(diagnosis)) {
      addOtherEpisodes(facts, windows, zone);
    }
  }

  /** Other times with the same rise, and the options that analyze the first of them. */
  private static void addOtherEpisodes(List<Fact> facts, Windows windows, ZoneId zone) {
    List<Window> others = windows.otherEpisodes();
    if (others.isEmpty()) {
      return;
    }
    List<Cell> lines = new ArrayList<>();
    others.stream()
        .limit(Policy.MOST_NAMED)
        .forEach(episode -> lines.add(Cell.of(FigureText.window(episode, zone))));
    if (others.size() > Policy.MOST_NAMED) {
      lines.add(Cell.of("and %d more".formatted(others.size() - Policy.MOST_NAMED)));
    }
    String first = WindowFlags.of(windows.withIncident(others.get(0)));
    lines.add(new Cell("to analyze the first: " + first, Tone.MUTED));
    facts.add(new Fact("Other episodes", lines));
  }

  private static String chosen(Windows windows) {
    String chosen =
        switch (windows.chosenBy()) {
          case USER -> "given on the command line";
          case CHANGE_POINT -> "detected by change-point analysis";
          case WHOLE_RECORDING -> "the whole recording";
        };
    if (windows.reason().isBlank()) {
      return chosen;
    }
    // The reason says which of the windows was given.
    return windows.chosenBy() == ChosenBy.USER
        ? windows.reason()
        : chosen + ": " + windows.reason();
  }

  /** A run may begin with its incident, such as a warm-up; the baseline then comes after it. */
  private static String later(Windows windows) {
    return windows
        .baseline()
        .filter(window -> window.from().isAfter(windows.incident().from()))
        .map(window -> ", after the incident; \"before\" is this time")
        .orElse("");
  }

  static Optional<String> jvm(JvmFacts jvm) {
    List<String> parts = new ArrayList<>();
    jvm.version().ifPresent(parts::add);
    jvm.collector().ifPresent(parts::add);
    if (jvm.initialHeap().isPresent() || jvm.maxHeap().isPresent()) {
      String initial = jvm.initialHeap().map(Bytes::toString).orElse("unknown");
      String max = jvm.maxHeap().map(Bytes::toString).orElse("unknown");
      parts.add("heap " + (initial.equals(max) ? max : initial + " to " + max));
    }
    jvm.cpus()
        .ifPresent(
            cpus -> parts.add(Numbers.count(cpus) + (cpus == 1 ? " CPU" : " CPUs") + set(jvm)));
    return parts.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", parts));
  }

  /** A flag may set another number than the machine has, of which loads are shares. */
  private static String set(JvmFacts jvm) {
    OptionalInt machine = jvm.cpusOfMachine();
    return jvm.cpus().isEmpty() || jvm.cpusGiven().isPresent() || machine.equals(jvm.cpus())
        ? ""
        : " by -XX:ActiveProcessorCount"
            + (machine.isEmpty() ? "" : " (machine: " + machine.getAsInt() + ")");
  }

  static void addInputs(List<Fact> facts, List<InputReport> inputs, List<String> limits) {
    List<String> lines = new ArrayList<>();
    read(inputs).ifPresent(lines::add);
    undated(limits).ifPresent(lines::add);
    lines.addAll(known(inputs));
    inputs.stream()
        .filter(input -> input.remark() == Remark.ABSENT)
        .limit(Policy.MOST_NAMED)
        .forEach(input -> lines.add(input.file() + ": " + input.note()));
    unused(inputs).ifPresent(lines::add);
    if (!lines.isEmpty()) {
      facts.add(Fact.of("Read", lines));
    }
  }

  /** The first file whose time is not in it, as copies may have another one. */
  private static Optional<String> undated(List<String> limits) {
    List<String> placed =
        limits.stream()
            .filter(limit -> limit.contains("placed at the time of the file"))
            .map(limit -> limit.split(": ", 2)[0])
            .toList();
    return placed.stream()
        .findFirst()
        .map(one -> one + (placed.size() == 1 ? "" : "; so are " + (placed.size() - 1) + " more"));
  }

  /** Files that were read, by name if they are few; those that were not are among the doubts. */
  private static Optional<String> read(List<InputReport> inputs) {
    List<InputReport> sound =
        inputs.stream().filter(input -> input.status() == InputReport.Status.OK).toList();
    if (sound.isEmpty()) {
      return Optional.empty();
    }
    long all = inputs.stream().filter(input -> input.status() != InputReport.Status.UNUSED).count();
    return Optional.of(
        sound.size() <= MOST_INPUTS
            ? sound.stream()
                .filter(
                    input -> !input.isUseless() || sound.stream().allMatch(InputReport::isUseless))
                .map(input -> input.file() + " (" + input.format() + ")")
                .collect(Collectors.joining(", "))
            : Numbers.count(sound.size())
                + (sound.size() == all
                    ? " files, all complete"
                    : " of " + Numbers.count(all) + " files completely; the rest: see the top"));
  }

  /** What to bring, if nothing of any file is used; else what an option would use, and the rest. */
  private static List<String> known(List<InputReport> inputs) {
    List<InputReport> known = inputs.stream().filter(InputReport::isUsed).toList();
    List<InputReport> useless = known.stream().filter(InputReport::isUseless).toList();
    boolean all = useless.size() == known.size();
    Predicate<InputReport> told = input -> all || input.remark() == Remark.NEEDS_MEANING;
    List<String> names =
        useless.stream().filter(Predicate.not(told)).map(InputReport::file).toList();
    return Stream.concat(
            useless.stream().filter(told).map(InputReport::note).distinct().limit(MOST_NOTES),
            names.isEmpty()
                ? Stream.empty()
                : Stream.of("read, not used: " + FigureText.some(names, MOST_UNUSED)))
        .toList();
  }

  /** Whether the first screen names all files that were not used. */
  static boolean isEachUnusedNamed(List<InputReport> inputs) {
    return unusedNames(inputs).size() <= MOST_UNUSED;
  }

  private static List<String> unusedNames(List<InputReport> inputs) {
    return inputs.stream()
        .filter(input -> input.status() == InputReport.Status.UNUSED)
        .map(InputReport::file)
        .toList();
  }

  /** Files in no known format; empty if there are none. */
  private static Optional<String> unused(List<InputReport> inputs) {
    List<String> names = unusedNames(inputs);
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of("not used (unknown format): " + FigureText.some(names, MOST_UNUSED));
  }

  /** How many secrets were redacted. */
  static Optional<Fact> hidden(Diagnosis.Hidden hidden) {
    return hidden.secrets() == 0
        ? Optional.empty()
        : Optional.of(new Fact("Hidden", new Cell(text(hidden), Tone.MUTED)));
  }

  private static String text(Diagnosis.Hidden hidden) {
    return Numbers.count(hidden.secrets())
        + (hidden.secrets() == 1 ? " secret or name in " : " secrets or names in ")
        + Numbers.count(hidden.places())
        + (hidden.places() == 1 ? " place" : " places")
        + ", the same number for the same one; --no-redact shows them";
  }

  /** The options of the command line that choose the same windows. */
  static final class WindowFlags {

    private static final DateTimeFormatter SECONDS =
        DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter MILLIS =
        DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** {@code --incident 01:14:00..01:15:00 --baseline 01:13:00..01:14:00}, in UTC. */
    static String of(Windows windows) {
      boolean dated = spansDays(windows);
      return "--incident "
          + flag(windows.incident(), dated)
          + windows.baseline().map(window -> " --baseline " + flag(window, dated)).orElse("");
    }

    /** A time of day stands for the first day that has it. */
    private static boolean spansDays(Windows windows) {
      LocalDate day = day(windows.incident().from());
      return !day.equals(day(windows.incident().to()))
          || windows.baseline().filter(w -> !day.equals(day(w.from()))).isPresent();
    }

    private static LocalDate day(Instant at) {
      return at.atOffset(ZoneOffset.UTC).toLocalDate();
    }

    private static String flag(Window window, boolean dated) {
      return time(window.from(), dated) + ".." + time(window.to(), dated);
    }

    private static String time(Instant at, boolean dated) {
      Instant rounded = FigureText.toMillis(at);
      if (dated) {
        return rounded.toString();
      }
      boolean whole = rounded.truncatedTo(ChronoUnit.SECONDS).equals(rounded);
      return (whole ? SECONDS : MILLIS).format(rounded);
    }
  }
}
