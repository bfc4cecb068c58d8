package io.gcdiag.books;

import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.Effect;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/**
 * A root cause: its title, the rules about it, its location, the edits, and the prediction without
 * it. Each cause is one class in the package of its queue, and has a page under {@code
 * docs/hypotheses/}. {@code io.gcdiag.causes.Causes} has all of them.
 */
public abstract class Cause {

  /** Rank of a cause that one would not ask about first. */
  public static final int NOT_ASKED_FIRST = Integer.MAX_VALUE;

  /** Properties of a cause that do not depend on the files. */
  public enum Trait {
    /**
     * It delays only some requests, so one endpoint may show it. Causes that stop or slow down the
     * whole process delay long requests most, whatever they do.
     */
    OF_SOME_REQUESTS,
    /** It delays only requests that arrive or run during a pause. */
    BY_PAUSES,
    /** It requests collections; ordinary collections would still happen without it. */
    REQUESTS_COLLECTIONS,
    /**
     * It triggers collections before the heap is full; without it they come when the heap is full.
     */
    BEFORE_THE_HEAP_IS_FULL,
    /**
     * Normal operation does it, too: only a baseline shows how much of it is lost time. In a queue
     * or a pause nothing is done for a request.
     */
    PART_OF_NORMAL_WORK,
    /** An allocation profile shows where. */
    SEEN_IN_ALLOCATION,
    /** A CPU profile shows where. */
    SEEN_IN_CPU,
    /** A CPU profile shows where, if no stack shows waiting threads. */
    SEEN_IN_CPU_UNLESS_WAITING,
    /** Stacks of waiting threads show where. */
    SEEN_IN_WAITS
  }

  private final Hypothesis hypothesis;
  private final String title;
  private final String firstAction;
  private final List<Rule> rules;
  private final Set<Trait> traits;
  private final Map<String, String> chartLines = new TreeMap<>();
  private final Set<Effect> queues = EnumSet.noneOf(Effect.class);
  private int askedFirst = NOT_ASKED_FIRST;

  /**
   * A cause with fixed properties.
   *
   * @param title in reports
   * @param firstAction what to change first if this is the cause
   * @param rules those that are mainly about it
   */
  protected Cause(
      Hypothesis hypothesis, String title, String firstAction, List<Rule> rules, Trait... traits) {
    this.hypothesis = hypothesis;
    this.title = title;
    this.firstAction = firstAction;
    this.rules = List.copyOf(rules);
    this.traits = EnumSet.noneOf(Trait.class);
    this.traits.addAll(Arrays.asList(traits));
  }

  public final Hypothesis hypothesis() {
    return hypothesis;
  }

  public final String title() {
    return title;
  }

  /** What to change first if this is the cause. */
  public final String firstAction() {
    return firstAction;
  }

  public final boolean is(Trait trait) {
    return traits.contains(trait);
  }

  /** The rules that are mainly about this cause; they may have bearings on others as well. */
  public final List<Rule> rules() {
    return rules;
  }

  /** Adds the location that the files show. */
  public void place(PlaceParts found) {}

  /** The title of the kind that was found; empty if there is only one kind, or if it is unknown. */
  public Optional<String> kind(SuspectContext suspect) {
    return Optional.empty();
  }

  /** The edits that remove it, those to be made together first; empty if no exact edit is known. */
  public List<Edit> edits(SuspectContext suspect) {
    return List.of();
  }

  /**
   * The predicted effect of removing it.
   *
   * @param findings all findings, about any cause
   * @param share share of the lost time that it explains, 0 to 1, if known
   */
  public List<Prediction> predictions(
      MeasuredIncident incident, List<Finding> findings, OptionalDouble share) {
    return List.of(latency(incident, share));
  }

  /** The predicted latency without it. */
  public Prediction latency(MeasuredIncident incident, OptionalDouble share) {
    return new CauseRemoved(incident, this).latency(share);
  }

  /** Adds a line of a chart that shows this cause, by the line's title and that for this cause. */
  protected final void chartLine(String line, String title) {
    chartLines.put(line, title);
  }

  /** Titles for this cause of the chart lines that show it, by the title of the line. */
  public final Map<String, String> chartLines() {
    return Collections.unmodifiableMap(chartLines);
  }

  /** Adds the queues in which requests wait for others, and which this cause makes long. */
  protected final void lengthens(Effect... itsQueues) {
    queues.addAll(Arrays.asList(itsQueues));
  }

  /** The queues in which requests wait for others, and which this cause makes long. */
  public final Set<Effect> queues() {
    return Collections.unmodifiableSet(queues);
  }

  /** Sets its rank among the causes that one would ask about first, from 0. */
  protected final void askedFirst(int rank) {
    askedFirst = rank;
  }

  /** Its rank among the causes that one would ask about first. */
  public final int askedFirst() {
    return askedFirst;
  }
}
