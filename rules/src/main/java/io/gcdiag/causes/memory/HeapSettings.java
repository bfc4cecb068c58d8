package io.gcdiag.causes.memory;

import io.gcdiag.books.Edit;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Bytes;
import java.util.List;

/** The flags of the heap's size. */
final class HeapSettings {

  static void place(PlaceParts found) {
    found
        .timeline()
        .jvm()
        .initialHeap()
        .map(size -> setting(found.timeline(), "-Xms" + FlagSize.of(size), "InitialHeapSize"))
        .ifPresent(found::add);
    largest(found);
  }

  static void largest(PlaceParts found) {
    found
        .timeline()
        .jvm()
        .maxHeap()
        .map(size -> setting(found.timeline(), "-Xmx" + FlagSize.of(size), "MaxHeapSize"))
        .ifPresent(found::add);
  }

  private static Part setting(Timeline timeline, String text, String flag) {
    Source source =
        timeline
            .jvm()
            .flag(flag)
            .map(Flag::source)
            .orElseGet(
                () ->
                    new Source(
                        timeline.inputs().stream()
                            .map(InputReport::file)
                            .findFirst()
                            .orElse("inputs"),
                        flag));
    return new Part(Role.SETTING, text, source);
  }

  static List<Edit> edits(SuspectContext suspect, Bytes to) {
    JvmFacts jvm = suspect.timeline().jvm();
    String size = FlagSize.of(to);
    Edit first = Edit.flag("-Xms", jvm.initialHeap().map(FlagSize::of), size, suspect.why());
    Edit most = Edit.flag("-Xmx", jvm.maxHeap().map(FlagSize::of), size, suspect.why());
    boolean same = jvm.maxHeap().filter(to::equals).isPresent();
    return same ? List.of(first) : List.of(first, most);
  }
}
