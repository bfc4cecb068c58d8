package io.gcdiag.ingest.jfr.profile;

import io.gcdiag.evidence.jvm.ExceptionCount;
import io.gcdiag.evidence.profile.ThrownErrors;
import io.gcdiag.evidence.profile.ThrownExceptions;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.ingest.format.IngestContext;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.Trace;
import io.gcdiag.ingest.jfr.group.EventGroup;
import io.gcdiag.ingest.jfr.group.RecordedSettings;
import io.gcdiag.ingest.jfr.group.SecondCounts;
import io.gcdiag.ingest.jfr.group.Stacks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Exceptions: how many, of a counter that is always on, and which, of events that are off in the
 * settings of JDK 17 and sampled in later ones. Errors have an event of their own, which is on.
 */
public final class ExceptionEvents implements EventGroup {

  private static final String STATISTICS = "jdk.ExceptionStatistics";
  private static final String EXCEPTION = "jdk.JavaExceptionThrow";
  private static final String ERROR = "jdk.JavaErrorThrow";

  private static final String LINKING = "java.lang.invoke.MethodHandleNatives.resolve";

  /** How frames spell a constructor. */
  private static final String CONSTRUCTOR = ".<init>";

  private final String file;
  private final Stacks stacks;
  private final List<ExceptionCount> counts = new ArrayList<>();
  private final SecondCounts<Kind> thrown = new SecondCounts<>(OTHERS);
  private final SecondCounts<Kind> errors = new SecondCounts<>(OTHERS);

  private record Kind(String type, String site) {}

  private static final Kind OTHERS = new Kind("others", "other code");

  public ExceptionEvents(String file, Stacks stacks) {
    this.file = file;
    this.stacks = stacks;
  }

  @Override
  public Map<String, Consumer<Event>> readers() {
    return Map.of(
        STATISTICS, this::count, EXCEPTION, event -> thrown(event, thrown), ERROR, this::error);
  }

  private void count(Event event) {
    OptionalLong total = event.number("throwables");
    if (total.isPresent()) {
      Source source = new Source(file, STATISTICS);
      counts.add(new ExceptionCount(event.start(), total.getAsLong(), source));
    }
  }

  /** Where method handles are linked the JDK tries what may not be there, and catches the error. */
  private void error(Event event) {
    List<String> frames = event.stack().map(Trace::frames).orElse(List.of());
    if (!frames.contains(LINKING)) {
      thrown(event, errors);
    }
  }

  private void thrown(Event event, SecondCounts<Kind> counts) {
    String type = event.className("thrownClass").orElse("unknown");
    String top = stacks.kind(event, "RUNNABLE").top();
    String site = top.endsWith(CONSTRUCTOR) ? creator(event, type).orElse(top) : top;
    counts.add(new Kind(type, site.isEmpty() ? "unknown code" : site), event.start());
  }

  /**
   * Who called the constructor of an exception whose class is not the JDK's: constructors of its
   * superclasses are innermost, its own is the last of them.
   */
  private static Optional<String> creator(Event event, String type) {
    List<String> frames = event.stack().map(Trace::frames).orElse(List.of());
    int at = frames.indexOf(type + CONSTRUCTOR);
    while (at >= 0 && at < frames.size() && frames.get(at).equals(type + CONSTRUCTOR)) {
      at++;
    }
    return at > 0 && at < frames.size() ? Optional.of(frames.get(at)) : Optional.empty();
  }

  @Override
  public void finish(IngestContext intake, RecordedSettings settings) {
    counts.forEach(intake.timeline()::sample);
    thrown.forEach(
        (kind, second, n) ->
            intake.timeline().sample(new ThrownExceptions(second, kind.type(), kind.site(), n)));
    errors.forEach(
        (kind, second, n) ->
            intake.timeline().sample(new ThrownErrors(second, kind.type(), kind.site(), n)));
    intake
        .timeline()
        .signal(Signal.EXCEPTION_COUNTS, settings.state(STATISTICS, counts.size() > 1));
  }
}
