package io.gcdiag.cli;

import io.gcdiag.books.CausalLink;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.verdict.CausalGraph;
import java.util.List;
import java.util.Optional;

/** How the loss of the sample was handed on. */
final class SampleCauses {

  /** The whole loss, in thread-seconds. */
  private static final double LOSS = 12_467;

  private SampleCauses() {}

  static CausalGraph graph() {
    return new CausalGraph(
        List.of(
            step("memory-pressure", "stopped", 0.81, "308 ms of pauses became 1.25 s a minute"),
            step("stopped", "pool-wait", 0.8, "800/s x 31 ms = 24.8 requests arrive at 10 slots"),
            felt("pool-wait", 0.9)),
        List.of(felt("stopped", 0.1), step("slow-disk", "pool-wait", 0.02, "logs are forced")));
  }

  static CausalLink step(String from, String to, double share, String statement) {
    return new CausalLink(
        from,
        to,
        share * LOSS,
        share,
        List.of(statement),
        Optional.of("pool-wait"),
        List.of(new Source("recording.jfr", "jdk.ThreadPark")),
        List.of());
  }

  private static CausalLink felt(String effect, double share) {
    return new CausalLink(
        effect,
        CausalLink.LATENCY,
        share * LOSS,
        share,
        List.of("all requests together lost it"),
        Optional.empty(),
        List.of(),
        List.of());
  }
}
