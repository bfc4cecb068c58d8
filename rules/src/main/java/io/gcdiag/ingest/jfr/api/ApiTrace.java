package io.gcdiag.ingest.jfr.api;

import io.gcdiag.ingest.jfr.event.Trace;
import io.gcdiag.ingest.text.ClassNames;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;

/** A stack whose frames are spelled out once. */
final class ApiTrace extends Trace {

  private static final String INTERPRETED = "Interpreted";

  private final List<String> frames;
  private final boolean interpreted;

  ApiTrace(RecordedStackTrace trace) {
    List<RecordedFrame> recorded = trace.getFrames();
    frames =
        recorded.stream()
            .filter(RecordedFrame::isJavaFrame)
            .flatMap(frame -> Stream.ofNullable(frame.getMethod()))
            .flatMap(method -> spell(method).stream())
            .toList();
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
  public boolean interpreted() {
    return interpreted;
  }
}
