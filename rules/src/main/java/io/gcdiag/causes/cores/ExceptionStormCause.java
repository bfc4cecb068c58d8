package io.gcdiag.causes.cores;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import java.util.List;

/** Exceptions with stack traces in bulk. */
public final class ExceptionStormCause extends Cause {
  public ExceptionStormCause() {
    super(
        Hypothesis.EXCEPTION_STORM,
        "Exception storm: many exceptions per second",
        "look at where they are thrown (record with "
            + "jdk.JavaExceptionThrow#enabled=true) and test before trying; an exception "
            + "for control flow needs no stack trace",
        Trait.OF_SOME_REQUESTS,
        Trait.OF_COLLECTIONS,
        Trait.SEEN_IN_CPU);
  }

  @Override
  public List<Rule> rules() {
    return List.of(new ExceptionRateRule());
  }

  @Override
  public void place(PlaceParts found) {
    found.code(
        found
            .own()
            .mostOfAll(Activity.THROWING)
            .or(() -> found.own().mostOfAll(Activity.SAMPLED_THROWING)));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.code(
        "validate the value before it is parsed or used, so that no exception is thrown");
  }
}
