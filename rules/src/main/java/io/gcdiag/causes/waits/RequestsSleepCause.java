package io.gcdiag.causes.waits;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Requests sleep: between retries, in a rate limiter, in a polling loop. */
public final class RequestsSleepCause extends Cause {
  public RequestsSleepCause() {
    super(
        Hypothesis.REQUESTS_SLEEP,
        "Requests sleep: retries, limiters, polling",
        "look at the named code: let a limiter reject at once or admit more, fix "
            + "what a retry repeats, and wait for an event instead of polling",
        Trait.OF_SOME_REQUESTS,
        Trait.SEEN_IN_WAITS);
  }

  @Override
  public List<Rule> rules() {
    return List.of(new SleepTimeRule());
  }

  @Override
  public void place(PlaceParts found) {
    found.code(
        found
            .own()
            .most(Activity.SLEEPING, Spot::onRequestThread)
            .or(() -> found.own().most(Activity.SLEEPING)));
  }

  @Override
  public Optional<String> kind(SuspectContext suspect) {
    if (suspect.says("RateLimiter")) {
      return Optional.of("Requests wait in a rate limiter");
    }
    boolean retries =
        suspect.about().stream()
            .map(finding -> finding.actions().getOrDefault(hypothesis(), ""))
            .anyMatch(action -> action.contains("first attempt fails"));
    return Optional.of(retries ? "Requests sleep between retries" : "Requests sleep");
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.code(
        suspect.says("RateLimiter")
            ? "raise the limit of the rate limiter, or reject at once what exceeds it"
            : "wait for an event in place of a fixed time, or do not retry what fails each time");
  }

  @Override
  public Map<String, String> chartLines() {
    return Map.of("sleeping", "Threads sleeping");
  }
}
