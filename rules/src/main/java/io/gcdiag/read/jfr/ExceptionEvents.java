package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.JvmSample.ExceptionCount;
import io.gcdiag.evidence.jvm.JvmSample.ThrownErrors;
import io.gcdiag.evidence.jvm.JvmSample.ThrownExceptions;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Exceptions: their number from a counter that is always on, their types from events that are off
 * in the settings of JDK 17 and sampled in later ones. Errors have an event of their own, which is
 * on.
 */
final class ExceptionEvents extends EventGroup {

  private static final String STATISTICS = "jdk.ExceptionStatistics";
  private static final String EXCEPTION = "jdk.JavaExceptionThrow";
  private static final String ERROR = "jdk.JavaErrorThrow";

  private static final String LINKING = "java.lang.invoke.MethodHandleNatives.resolve";

  /** The name of a constructor in frames. */
  private static final String CONSTRUCTOR = ".<init>";

  private final List<ExceptionCount> counts = new ArrayList<>();
  private final SecondCounts<Kind> thrown = new SecondCounts<>(OTHERS);
  private final SecondCounts<Kind> errors = new SecondCounts<>(OTHERS);

  private record Kind(String type, String site) {}

  private static final Kind OTHERS = new Kind("others", "other code");

  ExceptionEvents(LaneContext lane) {
    super(lane);
    on(STATISTICS, this::count);
    on(EXCEPTION, event -> thrown(event, thrown));
    on(ERROR, this::error);
  }

  private void count(Event event) {
    OptionalLong total = event.number("throwables");
    if (total.isPresent()) {
      Source source = source(STATISTICS);
      counts.add(new ExceptionCount(event.start(), total.getAsLong(), source));
    }
  }

  /**
   * When linking method handles, the JDK tries methods that may not exist and catches the error;
   * those are ignored.
   */
  private void error(Event event) {
    List<String> frames = event.stack().map(Trace::frames).orElse(List.of());
    if (!frames.contains(LINKING)) {
      thrown(event, errors);
    }
  }

  private void thrown(Event event, SecondCounts<Kind> counts) {
    String type = event.className("thrownClass").orElse("unknown");
    String top = stacks.running(event).top();
    String site = top.endsWith(CONSTRUCTOR) ? creator(event, type).orElse(top) : top;
    counts.add(new Kind(type, site.isEmpty() ? "unknown code" : site), event.start());
  }

  /**
   * The caller of an exception's constructor, if the exception's class is not the JDK's.
   * Constructors of its superclasses are innermost, its own is the last of them.
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
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    counts.forEach(timeline::sample);
    thrown.forEach(
        (kind, second, n) ->
            timeline.sample(new ThrownExceptions(second, kind.type(), kind.site(), n)));
    errors.forEach(
        (kind, second, n) ->
            timeline.sample(new ThrownErrors(second, kind.type(), kind.site(), n)));
    timeline.signal(Signal.EXCEPTION_COUNTS, settings.state(STATISTICS, counts.size() > 1));
  }
}
