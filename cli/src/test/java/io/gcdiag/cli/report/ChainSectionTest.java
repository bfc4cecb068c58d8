package io.gcdiag.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.cli.SampleDiagnosis;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The lost time of a first screen, to be added up on paper. */
class ChainSectionTest {

  @Test
  void theLostTimeIsTheSumOfItsParts() {
    List<Fact> facts = ChainSection.brief(SampleDiagnosis.memoryPressure());
    // A minute: 187 threads x 60 s + 4.2 threads x 60 s = 11,220 s + 252 s.
    assertEquals(
        List.of(
            "11,472 s = 11,220 s waiting for a connection (187 x 60 s) + 252 s stopped in a GC"
                + " pause (4.2 x 60 s)"),
        facts.stream().map(fact -> fact.values().get(0).text()).toList());
  }
}
