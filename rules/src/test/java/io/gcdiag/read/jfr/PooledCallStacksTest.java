package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.figures.StackTree;
import io.gcdiag.fixtures.Incidents;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A client that lends connections is on the stack of each call, which is no wait for one. */
@Tag("slow")
class PooledCallStacksTest {

  @Test
  void aCallOnAPooledConnectionIsACall() {
    StackTree waits =
        Analysis.run(AnalysisRequest.of(Incidents.folder("relay-slow-partner")))
            .figures()
            .waiting();
    assertEquals(
        List.of("in a call: Apache HttpClient 5"),
        waits.nodes().stream()
            .map(StackTree.Node::frame)
            .filter(frame -> frame.contains(": Apache"))
            .distinct()
            .toList());
  }
}
