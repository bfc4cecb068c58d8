package io.gcdiag.loadtests;

import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.figures.Metric;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Comparison of two runs.
 *
 * @param span which part of the runs was compared, and why
 * @param sentences the answer, the change that users notice first
 * @param figures every figure that both runs have
 * @param changes what differs in its settings
 * @param stacks the service's own methods of which the share of stacks differs most
 * @param warnings what makes the comparison weaker than it looks
 * @param otherService the first of these where the runs are of different services
 */
public record Comparison(
    Run before,
    Run after,
    String span,
    List<String> sentences,
    List<ComparedFigure> figures,
    List<Change> changes,
    List<Change> stacks,
    List<String> warnings,
    Optional<String> otherService) {

  public Comparison {
    sentences = List.copyOf(sentences);
    figures = List.copyOf(figures);
    changes = List.copyOf(changes);
    stacks = List.copyOf(stacks);
    warnings = List.copyOf(warnings);
  }

  /** The answer in one text. */
  public String summary() {
    return String.join(" ", sentences);
  }

  /**
   * One figure of both runs.
   *
   * @param metric the figure; its baseline is the first run, its incident the second
   * @param certainty whether the difference is more than chance
   */
  public record ComparedFigure(Metric metric, ChangeCertainty certainty) {}

  /**
   * Something that differs in its settings in the second run.
   *
   * @param what its name, such as {@code heap maximum size}
   */
  public record Change(String what, String before, String after) {

    boolean is(String name) {
      return what.equals(name);
    }
  }

  /**
   * Whether two figures differ by more than chance.
   *
   * @param chance probability of such a difference by chance; empty if it cannot be known
   * @param basis what was compared, or why nothing can be known
   */
  public record ChangeCertainty(OptionalDouble chance, String basis) {

    /**
     * Ten or twenty figures are compared at once; at the usual level of one in twenty, one of them
     * would seem to change between equal runs.
     */
    public static final double SIGNIFICANT = 0.01;

    private static final double SMALLEST_SHOWN = 0.001;

    static ChangeCertainty unknown(String why) {
      return new ChangeCertainty(OptionalDouble.empty(), why);
    }

    public boolean differs() {
      return chance.isPresent() && chance.getAsDouble() < SIGNIFICANT;
    }

    public String text() {
      if (chance.isEmpty()) {
        return "not testable: " + basis;
      }
      return (differs() ? "differs (" : "no difference shown (")
          + probability()
          + ", "
          + basis
          + ")";
    }

    /** Only the probability; {@link #basis()} has what it is based on. */
    public String probability() {
      if (chance.isEmpty()) {
        return "not testable";
      }
      double p = chance.getAsDouble();
      return p < SMALLEST_SHOWN ? "p < 0.001" : "p = " + Numbers.decimals(p, 3);
    }
  }

  /**
   * One of the two runs.
   *
   * @param name the folder or file it was read from
   * @param inputs what became of its files
   * @param jvm what is known of its JVM
   * @param window the span that was compared
   * @param judged the span that its diagnosis judges, which is its own incident window
   * @param conclusion what a diagnosis of it concludes, in one sentence
   * @param summary what that says beside
   */
  public record Run(
      String name,
      List<InputReport> inputs,
      JvmFacts jvm,
      Window window,
      Window judged,
      String conclusion,
      String summary) {

    public Run {
      inputs = List.copyOf(inputs);
    }

    public String answer() {
      return conclusion + " " + summary;
    }
  }
}
