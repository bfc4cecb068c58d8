package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.Note;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Events that the JVM could not write, for lack of room in its buffers ({@code jdk.DataLoss}). */
final class DataLossEvents extends EventGroup {

  private long bytes;
  private Optional<Instant> first = Optional.empty();
  private Optional<Instant> last = Optional.empty();

  DataLossEvents(LaneContext lane) {
    super(lane);
    on("jdk.DataLoss", this::lost);
  }

  private void lost(Event event) {
    bytes += Math.max(0, event.numberOr("amount", 0));
    first = first.or(() -> Optional.of(event.start()));
    last = Optional.of(event.start());
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    if (first.isPresent() && bytes > 0) {
      Instant to = last.orElseThrow();
      String span = to.isAfter(first.get()) ? text(new Window(first.get(), to)) : "at " + to;
      timeline.note(
          ("%s: the JVM lost %s of events %s (jdk.DataLoss): counts and sums of that"
                  + " time are too small; record with fewer events, or with more memory"
                  + " (-XX:FlightRecorderOptions=memorysize=64m)")
              .formatted(file, Bytes.of(bytes), span));
    }
  }

  private static String text(Window window) {
    return "from " + window.from() + " to " + window.to();
  }

  /**
   * Truncated stacks of waits and samples: their outermost frames, which identify requests and
   * their code, are missing.
   */
  static final class CutStacks extends EventGroup {

    private static final List<String> COUNTED =
        List.of(
            "jdk.ExecutionSample",
            "jdk.NativeMethodSample",
            "jdk.ThreadPark",
            "jdk.JavaMonitorEnter",
            "jdk.JavaMonitorWait",
            "jdk.SocketRead",
            "jdk.FileRead",
            "jdk.FileWrite");

    /** The JVM records no more frames (jfrOptionSet.cpp). */
    private static final int DEEPEST = 2048;

    /** Enough for stacks of the usual servers and frameworks with reactive operators. */
    private static final int USUALLY_ENOUGH = 256;

    /** Depth of a stack, and whether it is truncated. */
    private record Seen(int frames, boolean cut) {}

    private final Note<Seen> seen =
        new Note<>(trace -> new Seen(trace.frames().size(), trace.cut()));
    private long all;
    private long cut;
    private int depth;

    CutStacks(LaneContext lane) {
      super(lane);
      COUNTED.forEach(type -> on(type, this::count));
    }

    private void count(Event event) {
      Seen stack = stacks.note(event, seen);
      if (stack.frames() > 0) {
        all++;
        if (stack.cut()) {
          cut++;
          depth = Math.max(depth, stack.frames());
        }
      }
    }

    @Override
    public void finish(TimelineBuilder timeline, RecordedSettings settings) {
      if (all >= Policy.FEWEST_SAMPLES && cut >= Policy.NOTABLE * all) {
        timeline.note(
            ("%s: %s of %s stacks of waits and samples were deeper than the %s frames"
                    + " recorded: requests are known by the name of their thread alone there, and"
                    + " code that called may be missing%s")
                .formatted(
                    file,
                    new Ratio((double) cut / all),
                    Numbers.count(all),
                    depth,
                    depth < DEEPEST
                        ? "; record with -XX:FlightRecorderOptions=stackdepth=" + deeper()
                        : ""));
      }
    }

    /** Twice the recorded depth, at least {@link #USUALLY_ENOUGH}, as a power of two. */
    private int deeper() {
      return Math.min(DEEPEST, Math.max(USUALLY_ENOUGH, 2 * Integer.highestOneBit(depth)));
    }
  }
}
