package io.gcdiag.evidence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.gcdiag.evidence.time.Signal;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class EvidenceWithoutTest {

  /**
   * A signal that takes nothing away would let the test of any rule pass that says it needs it: see
   * {@code NeedsCheck}.
   */
  @Test
  void everySignalTakesSomethingAway() {
    Set<String> missing = new TreeSet<>();
    for (Signal signal : Signal.values()) {
      missing.add(signal.name());
    }
    new ClassFileImporter()
        .importClasses(EvidenceWithout.class)
        .get(EvidenceWithout.class)
        .getFieldAccessesFromSelf()
        .forEach(
            access -> {
              if (access.getTargetOwner().isEquivalentTo(Signal.class)) {
                missing.remove(access.getTarget().getName());
              }
            });
    assertEquals(
        Set.of(), missing, "EvidenceWithout says of these not which samples, waits or facts go");
  }
}
