package io.gcdiag.read.load;

import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
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
