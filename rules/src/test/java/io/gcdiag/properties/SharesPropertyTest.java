package io.gcdiag.properties;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.IncidentDiagnoses;
import io.gcdiag.books.LedgerEntry;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.verdict.Diagnosis;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Nothing is counted twice and nothing is lost: of the lost time, the shares of all root causes and
 * what stays unexplained are the whole; on whatever files.
 */
@Tag("slow")
@Tag("incidents")
class SharesPropertyTest {

  /** Shares below half of the last digit that reports show may be left out, of a few causes. */
  private static final double ROUNDING = 4 * 0.0005;

  @Test
  void sharesAndWhatIsUnexplainedAreTheWholeForEveryIncident() {
    assertEquals(
        List.of(),
        Incidents.recorded().parallelStream()
            .flatMap(incident -> broken(incident.name(), IncidentDiagnoses.of(incident)))
            .toList());
  }

  @Test
  void sharesAndWhatIsUnexplainedAreTheWholeForEverySubsetOfTheFiles() {
    List<RecordedIncident> services = IncidentFiles.onePerService();
    assertEquals(
        List.of(),
        services.subList(0, services.size() / 2).parallelStream()
            .flatMap(incident -> IncidentFiles.subsets(IncidentFiles.of(incident)).stream())
            .flatMap(files -> broken(words(files), IncidentFiles.diagnose(files)))
            .toList());
  }

  private static String words(List<Path> files) {
    return files.get(0).getParent().getFileName() + " " + IncidentFiles.names(files);
  }

  private static Stream<String> broken(String files, Diagnosis diagnosis) {
    double shown =
        diagnosis.judgements().stream().mapToDouble(j -> j.share().explained().orElse(0)).sum();
    boolean incident = diagnosis.lostTime().unexplainedShare() > 0 || shown > 0;
    double whole = shown + diagnosis.lostTime().unexplainedShare();
    return incident && (whole > 1 + ROUNDING || whole < 1 - ROUNDING)
        ? Stream.of(
            files
                + ": "
                + whole
                + ", ledger "
                + diagnosis.lostTime().ledger().stream().mapToDouble(LedgerEntry::share).sum())
        : Stream.empty();
  }
}
