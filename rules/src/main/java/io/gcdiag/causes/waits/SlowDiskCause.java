package io.gcdiag.causes.waits;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.measures.threads.UserWaits;
import java.util.List;
import java.util.Map;

/** File reads, writes or fsyncs delay requests. */
public final class SlowDiskCause extends Cause {
  public SlowDiskCause() {
    super(
        Hypothesis.SLOW_DISK,
        "Slow disk or file I/O",
        "call fsync less often (several writes at once), write logs from a thread "
            + "of their own, or use another disk",
        Trait.OF_SOME_REQUESTS,
        Trait.SEEN_IN_WAITS);
  }

  @Override
  public List<Rule> rules() {
    return List.of(new FileTimeRule());
  }

  @Override
  public void place(PlaceParts found) {
    found.code(
        found
            .own()
            .most(Activity.FILE_IO)
            .or(() -> found.own().inDumps(t -> t.activity() == ThreadActivity.IN_FILE)));
    found
        .longest(UserWaits.of(found.timeline(), WaitKind.FILE))
        .filter(series -> series.site().isNamed())
        .ifPresent(series -> found.add(new Part(Role.FILE, series.site().name(), series.source())));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    boolean output =
        suspect.at(Role.FILE).filter(f -> f.name().equals(WaitSite.STANDARD_OUTPUT)).isPresent();
    return suspect.code(
        output
            ? "what reads standard output (a log shipper, the container's runtime) is slower than the"
                + " service writes: write less, or log through an asynchronous appender that drops"
                + " events (Logback: AsyncAppender with neverBlock)"
            : "group the writes: one writer thread forces all queued records to disk at once, not each"
                + " request its own");
  }

  @Override
  public Map<String, String> chartLines() {
    return Map.of("for file I/O", "File I/O");
  }
}
