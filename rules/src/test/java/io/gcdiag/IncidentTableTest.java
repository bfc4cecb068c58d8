package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page about the recorded incidents is as the files and the diagnoses are. */
@Tag("slow")
@Tag("incidents")
class IncidentTableTest {

  @Test
  void thePageIsNotStale() throws IOException {
    TablePage.write(IncidentTable.PAGE, IncidentTable.rows(IncidentDiagnoses.all()));
    TablePage.check(IncidentTable.PAGE, IncidentTable.tables(IncidentDiagnoses.all()));
  }

  @Test
  void theNamesOfWhatIsNotYetRightAreReadFromThePage() {
    String page =
        """
        | `above-the-list` | x |
        ## Not yet right

        | incident | the truth | what differs |
        |---|---|---|
        | `one` | deadlock | undecided comes out |
        | `two` | healthy | gc-locker comes out |
        """;
    assertEquals(Set.of("one", "two"), IncidentTable.notYetRight(page));
  }
}
