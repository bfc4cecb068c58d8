package io.gcdiag.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.verdict.Diagnosis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class CaseAnalystTest {

  @TempDir Path folder;

  private static CaseRow row(Path folder) {
    FleetCase one =
        CaseFinder.find(
                List.of(folder), CaseRoots.NONE, PathPattern.none(), List.of(), text -> text)
            .cases()
            .get(0);
    return CaseAnalyst.analyse(one, new CaseKey(one.id(), "", ""), AnalysisRequest.of()).row();
  }

  /** relay-pool-of-two is started as "java ... relay.Relay", as its run.json says. */
  @Test
  void theRowSaysWhatTheReportOfTheFolderSays() {
    Path incident = Incidents.folder("relay-pool-of-two");
    Diagnosis diagnosis = Analysis.run(AnalysisRequest.of(incident));
    CaseRow row = row(incident);
    assertEquals(CaseOutcome.of(diagnosis.conclusion()), row.outcome());
    assertEquals(diagnosis.primarySuspect(), row.primary());
    assertEquals(diagnosis.judgements().get(0).share().explained(), row.suspects().get(0).share());
    assertEquals(Optional.of("relay.Relay"), row.origin().service());
    assertEquals("", row.error());
  }

  @Test
  void aFileThatCannotBeReadFailsTheCaseWithTheReason() throws IOException {
    Files.write(folder.resolve("cut.jfr"), new byte[] {'F', 'L', 'R', 0, 0, 2, 0, 1});
    CaseRow row = row(folder);
    assertEquals(CaseOutcome.FAILED, row.outcome());
    assertTrue(row.error().startsWith("cut.jfr (unreadable): "), row::error);
  }

  @Test
  void aDamagedFileBesideASoundOneIsANote() throws IOException {
    Path incident = Incidents.folder("relay-pool-of-two");
    Files.copy(incident.resolve("recording.jfr"), folder.resolve("recording.jfr"));
    Files.write(folder.resolve("cut.jfr"), new byte[] {'F', 'L', 'R', 0, 0, 2, 0, 1});
    CaseRow row = row(folder);
    assertTrue(row.isJudged());
    assertTrue(row.notes().get(0).startsWith("cut.jfr (unreadable): "), row.notes()::toString);
  }
}
