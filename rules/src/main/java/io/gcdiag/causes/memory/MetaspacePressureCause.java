package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.MemorySample.MetaspaceUse;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.measures.Case;
import io.gcdiag.units.Bytes;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/** Class metadata forces collections. */
public final class MetaspacePressureCause extends Cause {
  public MetaspacePressureCause() {
    super(
        Hypothesis.METASPACE_PRESSURE,
        "Metaspace pressure",
        "raise -XX:MetaspaceSize, and the limit where there is one "
            + "(-XX:MaxMetaspaceSize, -XX:CompressedClassSpaceSize), or find the class "
            + "loader that leaks",
        Trait.BY_PAUSES,
        Trait.OF_COLLECTIONS,
        Trait.SEEN_IN_ALLOCATION);
  }

  @Override
  public List<Rule> rules() {
    return List.of(new ClassMetadataRule());
  }

  @Override
  public void place(PlaceParts found) {
    found.code(found.own().mostOfAll(Activity.DEFINING_CLASSES));
  }

  /** A larger metaspace if the code that loads the classes is unknown. */
  @Override
  public List<Edit> edits(SuspectContext suspect) {
    List<Edit> once =
        suspect.code("generate and load the class once and cache it, not once per request");
    return !once.isEmpty()
        ? once
        : suspect.timeline().samples(MetaspaceUse.class).stream()
            .max(Comparator.comparing(MetaspaceUse::committed))
            .map(most -> larger(suspect, most))
            .stream()
            .toList();
  }

  /** The threshold that forced the GC is not a flag: it starts at the value of one and grows. */
  private static Edit larger(SuspectContext suspect, MetaspaceUse most) {
    JvmFacts jvm = suspect.timeline().jvm();
    String flag = isAtLimit(jvm, most) ? "MaxMetaspaceSize" : "MetaspaceSize";
    return Edit.flag(
        "-XX:" + flag,
        jvm.flag(flag).map(Flag::value).map(FlagSize::of),
        FlagSize.of(Bytes.ofMebi(1 + 2 * most.committed().value() / Bytes.ofMebi(1).value())),
        suspect.why());
  }

  /**
   * The threshold grows by itself up to the limit; if it still forces GCs, the limit is reached.
   */
  private static boolean isAtLimit(JvmFacts jvm, MetaspaceUse most) {
    return jvm.number("MaxMetaspaceSize").orElse(Double.MAX_VALUE) <= most.threshold().value();
  }

  @Override
  public List<Prediction> predictions(Case incident, List<Finding> findings, OptionalDouble share) {
    return CollectionsRemoved.andLatency(incident, this, share);
  }
}
