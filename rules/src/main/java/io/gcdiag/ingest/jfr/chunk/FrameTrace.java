package io.gcdiag.ingest.jfr.chunk;

import io.gcdiag.ingest.jfr.event.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A stack, spelled out when it is first asked for. */
record FrameTrace(List<String> frames, boolean interpreted) implements Trace {

  private static final String INTERPRETED = "Interpreted";

  /** Reads the frames of a stack. */
  static FrameTrace of(Values stack, Constants constants) {
    Optional<Field> list = stack.structure().field("frames");
    if (list.isEmpty() || list.get().kind() != Kind.ARRAY) {
      return new FrameTrace(List.of(), false);
    }
    Bytes in = stack.bytes("frames").orElseThrow();
    List<Values> recorded = new ArrayList<>();
    int count = in.readLength();
    for (int i = 0; i < count; i++) {
      Values frame = new Values(list.get().type(), in, constants, stack.clock());
      frame.read();
      recorded.add(frame);
    }
    List<String> frames = new ArrayList<>(count);
    for (Values frame : recorded) {
      boolean java = frame.text("javaFrame").map("true"::equals).orElse(true);
      Optional<String> method = java ? frame.method("method") : Optional.empty();
      method.ifPresent(frames::add);
    }
    boolean interpreted =
        !recorded.isEmpty() && recorded.get(0).text("type").filter(INTERPRETED::equals).isPresent();
    return new FrameTrace(List.copyOf(frames), interpreted);
  }

  /** Two stacks of one chunk are the same if they are one object. */
  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
