package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcSample.OldObjects;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.Case;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The live set grows without bound. */
public final class MemoryLeakCause extends Cause {
  public MemoryLeakCause() {
    super(
        Hypothesis.MEMORY_LEAK,
        "Memory leak: live set grows without bound",
        "find the growing type and its holder: compare two class histograms (jcmd "
            + "PID GC.class_histogram) taken some minutes apart",
        Trait.OF_COLLECTIONS,
        Trait.SEEN_IN_ALLOCATION);
  }

  @Override
  public List<Rule> rules() {
    return List.of(new GrowingClassesRule(), new HeldObjectsRule(), new LiveSetGrowthRule());
  }

  /** The class that grows, and where it is allocated. */
  @Override
  public void place(PlaceParts found) {
    Timeline timeline = found.timeline();
    Optional<OldObjects> held =
        timeline.samples(OldObjects.class).stream()
            .filter(objects -> !isOfJdk(objects.className()))
            .max(Comparator.comparingLong(OldObjects::count).thenComparing(OldObjects::className));
    Optional<String> grown = GrowingClassesRule.grownMost(found.incident());
    Optional<String> name =
        grown.or(() -> held.map(OldObjects::className)).filter(type -> !isOfJdk(type));
    found.code(
        name.flatMap(
                type -> found.own().most(Activity.ALLOCATING, spot -> spot.subject().equals(type)))
            .or(() -> found.own().most(Activity.ALLOCATING)));
    Optional<Source> histogram =
        timeline.histograms().stream().reduce((first, last) -> last).map(last -> last.source());
    grown
        .flatMap(type -> histogram.map(source -> new Part(Role.CLASS, type, source)))
        .or(
            () ->
                held.map(one -> new Part(Role.CLASS, one.className(), holders(one), one.source())))
        .ifPresent(found::add);
  }

  /** The JDK's arrays and strings are part of almost every object, so they name no leak. */
  private static boolean isOfJdk(String type) {
    return type.startsWith("java.") || type.startsWith("jdk.") || type.indexOf('.') < 0;
  }

  private static String holders(OldObjects objects) {
    return objects.holders().isEmpty() ? "" : "held by " + objects.holders();
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    String objects =
        suspect.at(Role.CLASS).map(part -> " the objects of " + part.name()).orElse(" the objects");
    return suspect.code(
        "remove"
            + objects
            + " when they are no longer needed, or bound the collection that holds them (size, age)");
  }

  @Override
  public List<Prediction> predictions(Case incident, List<Finding> findings, OptionalDouble share) {
    return CollectionsRemoved.andLatency(incident, this, share);
  }
}
