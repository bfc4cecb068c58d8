package io.gcdiag.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class ExactTestTest {

  private static final double EXACT = 1e-9;

  @Test
  void whatHappensOftenEnoughIsCountedUp() {
    // One in four, twice: not at all is 0.75 x 0.75, both times 0.25 x 0.25.
    assertEquals(1, ExactTest.atLeast(0, 2, 0.25), EXACT);
    assertEquals(1 - 0.5625, ExactTest.atLeast(1, 2, 0.25), EXACT);
    assertEquals(0.0625, ExactTest.atLeast(2, 2, 0.25), EXACT);
    assertEquals(1, ExactTest.atLeast(0, 0, 0.25), EXACT);
  }

  /** Of the 70 ways to choose 4 of 8, one has all four right and one all four wrong. */
  @Test
  void allAgainstNoneOfFour() {
    assertEquals(2.0 / 70, ExactTest.twoSided(4, 4, 0, 4), EXACT);
  }

  /**
   * Fisher's lady: 16 ways have three right, as many have one; only the 36 with two are likelier.
   */
  @Test
  void threeOfFourAgainstOneOfFour() {
    assertEquals((1 + 16 + 16 + 1) / 70.0, ExactTest.twoSided(3, 4, 1, 4), EXACT);
  }

  /** 1 of 2 against 0 of 3: each of 5 places is as likely; the two of the first group show this. */
  @Test
  void theSideThatIsLessLikelyCounts() {
    assertEquals(2.0 / 5, ExactTest.twoSided(1, 2, 0, 3), EXACT);
  }

  @Test
  void whatCannotDifferDoesNot() {
    assertEquals(1, ExactTest.twoSided(0, 5, 0, 7));
    assertEquals(1, ExactTest.twoSided(5, 5, 7, 7));
    assertEquals(1, ExactTest.twoSided(0, 0, 3, 7));
    assertEquals(1, ExactTest.twoSided(2, 4, 2, 4), EXACT);
  }

  @Test
  void moreHitsThanCasesAreNoTable() {
    assertThrows(IllegalArgumentException.class, () -> ExactTest.twoSided(5, 4, 0, 4));
  }
}
