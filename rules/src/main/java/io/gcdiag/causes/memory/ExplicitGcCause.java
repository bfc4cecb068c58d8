package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.OwnPlaces;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.GcSample.ExplicitCollection;
import io.gcdiag.evidence.jvm.OutsideRequest;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.PauseType;
import io.gcdiag.evidence.jvm.VmOperations;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The application or a tool asks for collections. */
public final class ExplicitGcCause extends CollectionsRemoved.OfCause {
  public ExplicitGcCause() {
    super(
        Hypothesis.EXPLICIT_GC,
        "Explicit GC: System.gc() and diagnostic commands",
        "remove the call, or with G1 use -XX:+ExplicitGCInvokesConcurrent; if the "
            + "JDK makes it for direct buffers, reuse these or raise "
            + "-XX:MaxDirectMemorySize",
        List.of(new CollectionCauseRule()),
        Trait.BY_PAUSES,
        Trait.REQUESTS_COLLECTIONS);
  }

  /** Code that requests collections, or another process; its requests appear in no code. */
  @Override
  public void place(PlaceParts found) {
    Timeline timeline = found.timeline();
    Window window = found.window();
    if (GcRequester.isOutside(timeline, window)) {
      Stream.concat(
              timeline.samples(OutsideRequest.class, window).stream().map(OutsideRequest::source),
              timeline.samples(ExplicitCollection.class, window).stream()
                  .map(ExplicitCollection::source))
          .findFirst()
          .ifPresent(found::outside);
      return;
    }
    OwnPlaces own = found.own();
    found.code(
        own.mostOfAll(Activity.COLLECTING)
            .or(
                () ->
                    own.mostOfAll(
                        Activity.REQUESTING_STOPS,
                        spot -> VmOperations.collectsOnRequest(spot.subject()))));
  }

  @Override
  public Optional<String> kind(SuspectContext suspect) {
    return new RequestedGcEdits(suspect).title();
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return new RequestedGcEdits(suspect).edits();
  }

  /**
   * The edits, by who requests the collections. {@code -XX:+DisableExplicitGC} is none of them,
   * because the JDK's direct buffers and RMI rely on the requests.
   */
  private record RequestedGcEdits(SuspectContext suspect) {

    private static final String CONCURRENT = "ExplicitGCInvokesConcurrent";

    /**
     * RMI requests a collection every hour by default (sun.rmi.transport.GC); this is once a day.
     */
    private static final String DAILY_MILLIS = Long.toString(Duration.ofDays(1).toMillis());

    /** The thread of RMI that requests them, of JDK 8 and of later ones. */
    private static final List<String> RMI = List.of("sun.misc.GC$", "sun.rmi.transport.GC$");

    private static final String SYSTEM_GC = "system.gc()";

    /** The GC causes of requested collections, with what requests them. */
    private static final Map<String, String> REQUESTERS =
        Map.of(
            SYSTEM_GC,
            "GCs requested by System.gc()",
            "heap inspection",
            "Full GCs requested by class histograms",
            "heap dump",
            "Full GCs requested by heap dumps",
            "diagnostic command",
            "GCs requested by jcmd GC.run");

    /** None if another process requests them: these files do not show its code. */
    List<Edit> edits() {
      if (isFromOutside()) {
        return List.of();
      }
      if (isByTools()) {
        return suspect.code(
            "take class histograms and heap dumps rarely, or with -all, which skips the full GC");
      }
      if (isMostly(call -> RMI.stream().anyMatch(call.caller()::startsWith))) {
        return canBeConcurrent() ? List.of(concurrent()) : lessOftenByRmi();
      }
      String remove = "remove this call of System.gc()";
      List<Edit> removed =
          suspect.code(
              canBeConcurrent() ? remove + ", or make it concurrent: -XX:+" + CONCURRENT : remove);
      return removed.isEmpty() && canBeConcurrent() ? List.of(concurrent()) : removed;
    }

    /** The one thing that requests collections; empty if unknown or if there are several. */
    Optional<String> title() {
      List<PauseType> requested = requested();
      if (requested.isEmpty()) {
        return Optional.empty();
      }
      if (isMostly(call -> RMI.stream().anyMatch(call.caller()::startsWith))) {
        return Optional.of("GCs requested by RMI's distributed garbage collection");
      }
      if (isFromOutside() && requested.stream().allMatch(GcRequester::isCall)) {
        return Optional.of("GCs requested through JMX");
      }
      return REQUESTERS.entrySet().stream()
          .filter(one -> requested.stream().allMatch(type -> isCause(type, one.getKey())))
          .map(Map.Entry::getValue)
          .findFirst();
    }

    private boolean isFromOutside() {
      return GcRequester.isOutside(suspect.timeline(), window());
    }

    /** Whether no request came from code; without known pauses, none is assumed. */
    private boolean isByTools() {
      return calls().isEmpty() && requested().stream().noneMatch(type -> isCause(type, SYSTEM_GC));
    }

    private List<PauseType> requested() {
      return suspect.timeline().pauses(window()).types().stream()
          .filter(type -> TriggerOwner.of(type).filter(Hypothesis.EXPLICIT_GC::equals).isPresent())
          .toList();
    }

    private static boolean isCause(PauseType type, String cause) {
      return type.cause().toLowerCase(Locale.ROOT).startsWith(cause);
    }

    private boolean isMostly(Predicate<ExplicitCollection> kind) {
      List<ExplicitCollection> calls = calls();
      return calls.stream().filter(kind).count() > Policy.MAJORITY * calls.size();
    }

    private List<ExplicitCollection> calls() {
      return suspect.timeline().samples(ExplicitCollection.class, window());
    }

    private Window window() {
      return suspect.incident().window();
    }

    /** Serial and Parallel ignore the flag, as does ZGC, which needs none. */
    private boolean canBeConcurrent() {
      boolean known =
          suspect
              .timeline()
              .jvm()
              .collector()
              .filter(name -> name.equals("G1") || name.contains("CMS"))
              .isPresent();
      Optional<String> now = suspect.timeline().jvm().flag(CONCURRENT).map(Flag::value);
      return known && now.filter("true"::equals).isEmpty();
    }

    private Edit concurrent() {
      return Edit.flag("-XX:+" + CONCURRENT, Optional.empty(), "", suspect.why());
    }

    private List<Edit> lessOftenByRmi() {
      return Stream.of("server", "client")
          .map(side -> Flag.PROPERTY + "sun.rmi.dgc." + side + ".gcInterval")
          .map(
              name ->
                  new Edit(
                      Edit.Kind.PROPERTY,
                      name,
                      suspect.timeline().jvm().flag(name).map(Flag::value),
                      DAILY_MILLIS,
                      suspect.why()))
          .toList();
    }
  }
}
