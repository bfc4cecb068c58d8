package io.gcdiag.read.jfr;

import io.gcdiag.read.bytes.ClassNames;
import io.gcdiag.read.jfr.reader.Trace;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Optional;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;

/** A stack whose frames are converted to text once. */
final class ApiTrace extends Trace {

  private static final String INTERPRETED = "Interpreted";

  private final List<String> frames;
  private final int[] lines;
  private final boolean[] monitors;
  private final boolean interpreted;
  private final boolean cut;

  ApiTrace(RecordedStackTrace trace) {
    List<RecordedFrame> recorded = trace.getFrames();
    List<RecordedFrame> named =
        recorded.stream()
            .filter(RecordedFrame::isJavaFrame)
            .filter(frame -> frame.getMethod() != null && frame.getMethod().getType() != null)
            .toList();
    frames = named.stream().flatMap(frame -> spell(frame.getMethod()).stream()).toList();
    lines = named.stream().mapToInt(frame -> Math.max(NO_LINE, frame.getLineNumber())).toArray();
    monitors = new boolean[named.size()];
    for (int i = 0; i < monitors.length; i++) {
      monitors[i] = Modifier.isSynchronized(named.get(i).getMethod().getModifiers());
    }
    cut = trace.isTruncated();
    interpreted = !recorded.isEmpty() && INTERPRETED.equals(recorded.get(0).getType());
  }

  static Optional<String> spell(RecordedMethod method) {
    return method.getType() == null
        ? Optional.empty()
        : Optional.of(ClassNames.source(method.getType().getName()) + "." + method.getName());
  }

  @Override
  public List<String> frames() {
    return frames;
  }

  @Override
  public int line(int frame) {
    return lines[frame];
  }

  @Override
  public boolean inMonitor(int frame) {
    return monitors[frame];
  }

  @Override
  public boolean interpreted() {
    return interpreted;
  }

  @Override
  public boolean cut() {
    return cut;
  }
}
