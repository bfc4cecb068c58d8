package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import java.util.List;

/** JNI critical sections delay or force collections. */
public final class GcLockerCause extends Cause {
  public GcLockerCause() {
    super(
        Hypothesis.GC_LOCKER,
        "GCLocker: JNI critical sections delay GC",
        "find the JNI critical callers (compression, array copies by native code); "
            + "G1 of JDK 22 and later pins regions instead",
        List.of(),
        Trait.SEEN_IN_ALLOCATION);
  }

  /** JNI critical sections are native code that works on a Java array, mostly compression. */
  @Override
  public void place(PlaceParts found) {
    found.code(
        found
            .own()
            .mostOfAll(Activity.NATIVE, spot -> spot.subject().startsWith("java.util.zip."))
            .or(() -> found.own().mostOfAll(Activity.NATIVE)));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.code(
        "pass smaller chunks to the native code, such as 16 KB at a time, not one large array");
  }
}
