package io.gcdiag.read.jfr;

import io.gcdiag.read.jfr.reader.Trace;
import java.util.List;

/** An empty stack for events without one. */
final class NoStack extends Trace {

  @Override
  public List<String> frames() {
    return List.of();
  }

  @Override
  public boolean interpreted() {
    return false;
  }

  @Override
  public boolean cut() {
    return false;
  }
}
