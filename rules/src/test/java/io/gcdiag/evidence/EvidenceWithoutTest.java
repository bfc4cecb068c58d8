package io.gcdiag.evidence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.gcdiag.evidence.time.Sample;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class EvidenceWithoutTest {

  @Test
  void ofEachKindOfSampleItIsSaidWhichSignalItBelongsTo() {
    List<String> forgotten =
        new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.gcdiag.evidence")
                .stream()
                .filter(found -> found.isAssignableTo(Sample.class) && !found.isInterface())
                .map(JavaClass::reflect)
                .filter(kind -> !EvidenceWithout.knows(kind))
                .map(Class::getSimpleName)
                .sorted()
                .toList();
    assertEquals(
        List.of(), forgotten, "name each in a list of EvidenceWithout: a signal's, or of none");
  }
}
