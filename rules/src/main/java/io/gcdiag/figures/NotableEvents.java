package io.gcdiag.figures;

import io.gcdiag.causes.waits.LoggedErrorsRule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.PauseType;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.CollectionTrigger;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.UtcText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What no report without a suspect leaves out, wherever the window is: full GCs but those for the
 * first classes, collections that found no room, allocation stalls and errors in logs.
 */
public final class NotableEvents {

  private static final Predicate<PauseType> METASPACE =
      type -> CollectionTrigger.of(type) == CollectionTrigger.METADATA;

  private NotableEvents() {}

  /** One sentence for each kind, without its point: how many, why, how long and when. */
  public static List<String> of(Incident incident) {
    Timeline timeline = incident.timeline();
    List<String> found = new ArrayList<>();
    // A JVM that loads its classes collects for its small metaspace, before anything happens.
    Window window = incident.window();
    boolean loads =
        timeline
            .pauses(new Window(window.from(), timeline.span().to()))
            .ofType(METASPACE)
            .isEmpty();
    add(
        found,
        timeline,
        "full GC",
        type -> type.kind() == PauseKind.FULL && !(loads && METASPACE.test(type)));
    add(found, timeline, "evacuation failure", CollectionTrigger::foundNoRoom);
    WaitSeries.Totals stalls =
        WaitSeries.totals(timeline.waits(WaitKind.ALLOCATION_STALL), timeline.span());
    if (stalls.count() > 0) {
      found.add(
          Numbers.counted(stalls.count(), "allocation stall")
              + length(stalls.count(), stalls.total(), stalls.longest()));
    }
    found.addAll(LoggedErrorsRule.statements(timeline));
    return found;
  }

  private static void add(
      List<String> found, Timeline timeline, String what, Predicate<PauseType> isMeant) {
    Pauses pauses = timeline.pauses().ofType(isMeant);
    if (pauses.isEmpty()) {
      return;
    }
    String causes =
        pauses.types().stream()
            .map(PauseType::cause)
            .filter(cause -> !cause.isBlank())
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    int size = pauses.size();
    found.add(
        Numbers.counted(size, what)
            + (causes.isEmpty() ? "" : " (" + causes + ")")
            + length(size, pauses.sum(), pauses.longest())
            + (timeline.dated()
                ? ", " + UtcText.span(pauses.start(0), pauses.start(size - 1))
                : ""));
  }

  private static String length(long count, Duration sum, Duration longest) {
    return count == 1
        ? " of " + Durations.format(sum)
        : ", " + Durations.format(sum) + " in total, longest " + Durations.format(longest);
  }
}
