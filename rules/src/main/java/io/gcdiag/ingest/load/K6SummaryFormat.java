package io.gcdiag.ingest.load;

import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.source.SignalState;
import io.gcdiag.ingest.format.FileHead;
import io.gcdiag.ingest.format.IngestContext;
import io.gcdiag.ingest.format.InputFile;
import io.gcdiag.ingest.format.InputFormat;
import java.io.IOException;
import java.io.InputStream;

/** End-of-test summaries of k6. */
public final class K6SummaryFormat extends InputFormat {

  public K6SummaryFormat() {
    super(
        "k6-summary",
        LoadFormat.KIND,
        "a k6 end-of-test summary (--summary-export or handleSummary)");
  }

  @Override
  public boolean recognises(FileHead head) {
    return K6Summary.looksLikeK6Summary(head.text());
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    try (InputStream in = intake.open(file)) {
      intake.timeline().requestStats(K6Summary.read(in, file.name()));
    }
    intake.timeline().signal(Signal.REQUEST_STATS, SignalState.SEEN);
    return Outcome.COMPLETE;
  }
}
