package io.gcdiag.properties;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.verdict.Diagnosis;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same files give the same answer: twice, in any order, and while others are at work in the
 * same process.
 */
@Tag("slow")
@Tag("incidents")
class SameAnswerPropertyTest {

  private static List<Path> files(String incident) {
    return Incidents.recorded().stream()
        .filter(one -> one.name().equals(incident))
        .map(IncidentFiles::of)
        .map(kinds -> IncidentFiles.flat(kinds.values()))
        .findFirst()
        .orElseThrow();
  }

  /** All that is said, by part; of the inputs, which are listed as given, in one order. */
  private static Map<String, Object> said(Diagnosis diagnosis) {
    List<InputReport> inputs = new ArrayList<>(diagnosis.inputs());
    inputs.sort(Comparator.comparing(InputReport::file));
    Map<String, Object> said = new LinkedHashMap<>();
    said.put("inputs", inputs);
    said.put("summary", diagnosis.summary());
    said.put("jvm", diagnosis.jvm());
    said.put("windows", diagnosis.windows());
    said.put("judgements", diagnosis.judgements());
    said.put("ledger", diagnosis.lostTime().ledger());
    said.put("causes", diagnosis.lostTime().causes());
    said.put("cross-checks", diagnosis.crossChecks());
    said.put("metrics", diagnosis.figures().metrics());
    said.put("allocation", diagnosis.figures().allocation());
    said.put("limits", diagnosis.limits());
    return said;
  }

  private static void assertSame(Map<String, Object> one, Map<String, Object> two, String of) {
    one.forEach((part, what) -> assertEquals(what, two.get(part), of + ", " + part));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pool-queue-small-heap", "login-slo-missed", "desk-transfers"})
  void theOrderOfTheFilesDoesNotMatter(String incident) {
    List<Path> files = new ArrayList<>(files(incident));
    Map<String, Object> inOrder = said(IncidentFiles.diagnoseAnew(files));
    Collections.reverse(files);
    assertSame(inOrder, said(IncidentFiles.diagnoseAnew(files)), incident);
    Collections.shuffle(files, new Random(1));
    assertSame(inOrder, said(IncidentFiles.diagnoseAnew(files)), incident);
  }

  /** Other tests ask for many choices of files in the way that is quicker. */
  @ParameterizedTest
  @ValueSource(strings = {"orders-export-keeps-rows-open", "depot-large-buffers"})
  void aRecordingThatIsReadOnceForAllChoicesOfFilesTellsTheSame(String incident) {
    RecordedIncident recorded =
        Incidents.recorded().stream()
            .filter(one -> one.name().equals(incident))
            .findFirst()
            .orElseThrow();
    List<List<Path>> subsets = new ArrayList<>(IncidentFiles.subsets(IncidentFiles.of(recorded)));
    // All files first: what the others of them say must not be left for those that lack them.
    Collections.reverse(subsets);
    for (List<Path> files : subsets) {
      assertSame(
          said(IncidentFiles.diagnoseAnew(files)),
          said(IncidentFiles.diagnoseSome(files, ReadOptions.STANDARD)),
          IncidentFiles.names(files).toString());
    }
  }

  @Test
  void runsSideBySideAnswerAsOneByOne() {
    List<RecordedIncident> services = IncidentFiles.onePerService();
    List<RecordedIncident> some = services.subList(0, services.size() / 6);
    List<Map<String, Object>> oneByOne = some.stream().map(SameAnswerPropertyTest::answer).toList();
    List<Map<String, Object>> sideBySide =
        some.parallelStream().map(SameAnswerPropertyTest::answer).toList();
    for (int i = 0; i < some.size(); i++) {
      assertSame(oneByOne.get(i), sideBySide.get(i), some.get(i).name());
    }
  }

  private static Map<String, Object> answer(RecordedIncident incident) {
    return said(
        IncidentFiles.diagnoseAnew(IncidentFiles.flat(IncidentFiles.of(incident).values())));
  }
}
