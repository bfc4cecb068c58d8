package io.gcdiag.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.books.Advice;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ShortlistTest {

  private static Judgement open(Hypothesis cause, OptionalDouble share) {
    return new Judgement(
        cause,
        Verdict.NOT_ENOUGH_DATA,
        new Judgement.Share(share, Optional.empty()),
        new Judgement.Rating(Optional.empty(), "", ""),
        "",
        List.of(),
        List.of(),
        List.of(),
        Advice.NONE);
  }

  @Test
  void aCauseWithAShareIsNotAlsoAmongThoseWithoutData() {
    List<Judgement> others =
        List.of(
            open(Hypothesis.ALLOCATION_CHURN, OptionalDouble.of(0.201)),
            open(Hypothesis.SLOW_DISK, OptionalDouble.empty()));
    assertEquals(
        Optional.of("Further shares: allocation-churn 20.1 %; not enough data for slow-disk."),
        new Shortlist(List.of(), others).rest());
  }
}
