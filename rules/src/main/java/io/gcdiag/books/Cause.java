package io.gcdiag.books;

import io.gcdiag.measures.Case;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * A root cause: what it is called, which rules are about it, where it is, what to change, and what
 * that would bring. Each is one class in the room of its queue, with a page of its own under {@code
 * docs/hypotheses/}. All are in {@code io.gcdiag.causes.Causes}.
 */
public abstract class Cause {

  /** Rank of a cause that no first question asks about. */
  public static final int NOT_ASKED_FIRST = Integer.MAX_VALUE;

  /** What is the same of a cause whatever the files show. */
  public enum Trait {
    /**
     * Some requests meet it and others do not, so one endpoint may show it. What stops or slows the
     * whole process delays long requests most, whatever they do.
     */
    OF_SOME_REQUESTS,
    /** It touches the requests that meet a pause, and no others. */
    BY_PAUSES,
    /** It makes the collector work, which works less without it. */
    OF_COLLECTIONS,
    /** It requests collections; others would come all the same. */
    REQUESTS_COLLECTIONS,
    /** Without it, collections come when the heap is full as it is. */
    BEFORE_THE_HEAP_IS_FULL,
    /** It takes the cores from the collector as well: how much is not known. */
    LENGTHENS_PAUSES,
    /** A profile of allocation shows where. */
    SEEN_IN_ALLOCATION,
    /** A profile of CPU shows where. */
    SEEN_IN_CPU,
    /** A profile of CPU shows where, if no stack shows threads waiting. */
    SEEN_IN_CPU_UNLESS_WAITING,
    /** Stacks of waiting threads show where. */
    SEEN_IN_WAITS
  }

  private final Hypothesis hypothesis;
  private final String title;
  private final String firstAction;
  private final Set<Trait> traits;

  /**
   * Describes a cause.
   *
   * @param title in reports
   * @param firstAction what to change first if this is the cause
   */
  protected Cause(Hypothesis hypothesis, String title, String firstAction, Trait... traits) {
    this.hypothesis = hypothesis;
    this.title = title;
    this.firstAction = firstAction;
    this.traits = EnumSet.noneOf(Trait.class);
    this.traits.addAll(Arrays.asList(traits));
  }

  /** Its name in findings and reports. */
  public final Hypothesis hypothesis() {
    return hypothesis;
  }

  /** The title in reports. */
  public final String title() {
    return title;
  }

  /** What to change first if this is the cause. */
  public final String firstAction() {
    return firstAction;
  }

  /** Whether it has a trait. */
  public final boolean is(Trait trait) {
    return traits.contains(trait);
  }

  /** The rules that are about it before all; they may speak about others as well. */
  public abstract List<Rule> rules();

  /** Adds the location that the files show. */
  public void place(PlaceParts found) {}

  /** The title of the kind that was found; empty if it has one kind only, or if that is unknown. */
  public Optional<String> kind(SuspectContext suspect) {
    return Optional.empty();
  }

  /**
   * The edits that deal with it, those to be made together first; empty if nothing exact can be
   * said.
   */
  public List<Edit> edits(SuspectContext suspect) {
    return List.of();
  }

  /**
   * What to expect of dealing with it.
   *
   * @param findings what the rules found, about all causes
   * @param share how much of what was lost it explains, 0 to 1, if that is known
   */
  public List<Prediction> predictions(Case incident, List<Finding> findings, OptionalDouble share) {
    return List.of(latency(incident, share));
  }

  /** The latency without it. */
  public Prediction latency(Case incident, OptionalDouble share) {
    return new CauseRemoved(incident, this).latency(share);
  }

  /**
   * Whether the heap is too small because of something that the baseline did not have and that may
   * be needed.
   */
  public boolean mayStay(Case incident) {
    return false;
  }

  /** Lines of charts that show it, by their titles: the titles that they have for it. */
  public Map<String, String> chartLines() {
    return Map.of();
  }

  /** Its rank among the causes that a colleague would ask about first, from 0. */
  public int askedFirst() {
    return NOT_ASKED_FIRST;
  }
}
