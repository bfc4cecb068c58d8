package io.gcdiag.loadtests;

import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Window;
import java.util.List;

/**
 * One of the two runs.
 *
 * @param name the folder or file it was read from
 * @param inputs what became of its files
 * @param jvm what is known of its JVM
 * @param window the span that was compared
 * @param judged the span that its diagnosis judges, which is its own incident window
 * @param answer what a diagnosis of it says, in one sentence
 */
public record Run(
    String name,
    List<InputReport> inputs,
    JvmFacts jvm,
    Window window,
    Window judged,
    String answer) {

  public Run {
    inputs = List.copyOf(inputs);
  }
}
