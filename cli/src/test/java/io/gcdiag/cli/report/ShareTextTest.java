package io.gcdiag.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.books.Advice;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.units.Estimate;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ShareTextTest {

  private static Judgement judged(
      Hypothesis cause, Verdict verdict, double share, Optional<Estimate> interval) {
    return new Judgement(
        cause,
        verdict,
        new Judgement.Share(OptionalDouble.of(share), interval),
        new Judgement.Rating(Optional.empty(), "", ""),
        "",
        List.of(),
        List.of(),
        List.of(),
        Advice.NONE);
  }

  private static Judgement heap(Verdict verdict, double share, double low, double high) {
    return judged(Hypothesis.MEMORY_PRESSURE, verdict, share, Optional.of(new Estimate(low, high)));
  }

  private static Judgement host(Verdict verdict, double share, double low, double high) {
    return judged(
        Hypothesis.HOST_CPU_CONTENTION, verdict, share, Optional.of(new Estimate(low, high)));
  }

  @Test
  void theUnexplainedPartIsInOneUpperEndOnly() {
    // 74 % and 18 %; 8 % is unexplained, and each cause alone may have it.
    Judgement heap = heap(Verdict.PRIMARY_SUSPECT, 0.74, 0.74, 0.82);
    Judgement host = host(Verdict.CONTRIBUTING, 0.18, 0.18, 0.26);
    ShareText shares = new ShareText(List.of(heap, host));
    assertEquals("74.0 %", ShareText.point(heap));
    assertEquals("18.0 %", ShareText.point(host));
    // The low end is the share itself: 73.7 % beside "74 to 82 %" would look like a slip.
    assertEquals("74.0 % (up to 82 %)", shares.inFull(heap));
    assertEquals("18.0 %", shares.inFull(host));
  }

  @Test
  void theUpperEndLeavesTheOthersWhatTheyExplainAtLeast() {
    // By samples 60 to 100 %; the other explains at least 10 %, so that 90 % are left.
    Judgement heap = heap(Verdict.PRIMARY_SUSPECT, 0.85, 0.6, 1);
    Judgement host = host(Verdict.CONTRIBUTING, 0.15, 0.1, 0.4);
    assertEquals("85.0 % (60 to 90 %)", new ShareText(List.of(heap, host)).inFull(heap));
  }

  @Test
  void ofTwoPrimarySuspectsNeitherHasAnUpperEnd() {
    Judgement heap = heap(Verdict.PRIMARY_SUSPECT, 0.4, 0.3, 0.65);
    Judgement host = host(Verdict.PRIMARY_SUSPECT, 0.35, 0.35, 0.6);
    ShareText shares = new ShareText(List.of(heap, host));
    assertEquals("40.0 % (at least 30.0 %)", shares.inFull(heap));
    assertEquals("35.0 %", shares.inFull(host));
  }

  @Test
  void ofAWideIntervalOnlyTheLowEndIsBesideTheShare() {
    Judgement heap = heap(Verdict.PRIMARY_SUSPECT, 1, 0.12, 1);
    ShareText shares = new ShareText(List.of(heap));
    assertEquals("100.0 % (at least 12.0 %)", shares.inFull(heap));
  }

  @Test
  void aLowEndThatIsTheShareIsNotSaidTwice() {
    // 37 % would stand beside 36.5 %.
    Judgement host = host(Verdict.PRIMARY_SUSPECT, 0.365, 0.365, 0.999);
    assertEquals("36.5 %", new ShareText(List.of(host)).inFull(host));
  }

  @Test
  void aShareThatMayBeNothingAndNoMoreIsABound() {
    Judgement heap = heap(Verdict.PRIMARY_SUSPECT, 1, 0, 1);
    assertEquals("≤ 100.0 %", ShareText.point(heap));
    assertEquals("40.0 %", ShareText.point(heap(Verdict.PRIMARY_SUSPECT, 0.4, 0, 0.8)));
  }

  @Test
  void anExactShareHasNoInterval() {
    Judgement heap =
        judged(Hypothesis.MEMORY_PRESSURE, Verdict.PRIMARY_SUSPECT, 0.984, Optional.empty());
    ShareText shares = new ShareText(List.of(heap));
    assertEquals("98.4 %", ShareText.point(heap));
    assertEquals("98.4 %", shares.inFull(heap));
  }
}
