package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LittlesLawCommandTest {

  private static String run(String command) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.run(
            command.split(" "),
            request -> SampleDiagnosis.healthy(),
            Terminal.NONE,
            new PrintWriter(out),
            new PrintWriter(err));
    assertEquals("", err.toString());
    assertEquals(0, code);
    return out.toString();
  }

  private static JsonNode json(String command) throws Exception {
    return new ObjectMapper().readTree(run(command + " --format json"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"en-US", "de-DE", "tr-TR"})
  void aThousandRequestsOfFourMillisecondsNeedFourConnectionsInEveryLocale(String language) {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag(language));
      String text = run("littles-law --rps 1000 --hold 4.32ms");
      assertTrue(text.startsWith("4.32 connections needed\n"), text);
      assertTrue(text.contains("1,000/s x 4.32 ms = 4.32 connections"), text);
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void noWaitIsSaidSoAndAPoolInUseThroughoutIsAtItsLimit() {
    // 797/s x 4.31 ms = 3.44 of 10: fewer than 1 % of requests wait at all.
    String roomy = run("littles-law --rps 797 --hold 4.31ms --pool 10");
    assertTrue(roomy.contains("34.4 % in use, 99 % of requests do not wait"), roomy);
    // 1.001/s x 2 s = 2.002, which prints as 2: growth by 0.001/s is beyond such figures.
    String full = run("littles-law --rps 1.001 --hold 2s --pool 2");
    assertTrue(full.startsWith("2 connections needed, the pool has 2: at its limit\n"), full);
    assertTrue(full.contains("in use       2 / 2 = 100.0 %"), full);
    // 310/s x 40 ms = 12.4 of 10: a share of a pool in use is never more than the pool.
    String over = run("littles-law --rps 310 --hold 40ms --pool 10");
    assertTrue(over.contains("needed       12.4 / 10 = 124.0 %"), over);
  }

  @Test
  void aPercentileIsWrittenWithOrWithoutItsLetter() {
    String question = "littles-law --rps 1000 --hold 4.32ms --target-wait 5ms";
    assertEquals(run(question + "@p99"), run(question + "@99"));
    assertEquals(run(question + "@p99.9"), run(question + "@99.9"));
    assertEquals(run(question + "@p99"), run(question));
  }

  @Test
  void ratesPerMinuteAndIsoDurationsMeanTheSame() throws Exception {
    // 60,000/min = 1,000/s; 1,000/s x 4.32 ms = 4.32
    JsonNode answer = json("littles-law --rps 60000/min --hold PT0.00432S");
    assertEquals(4.32, answer.get("connectionsNeeded").asDouble(), 1e-12);
    assertTrue(answer.get("pool").isNull());
    assertTrue(answer.get("pause").isNull());
    assertTrue(answer.get("smallestPool").isNull());
  }

  @Test
  void aPoolThatIsLargeEnoughIsDescribed() throws Exception {
    // 813/s x 4.32 ms = 3.51216; / 10 = 35.1 %; 10 / 4.32 ms = 2,314.8/s
    JsonNode pool = json("littles-law --rps 813 --hold 4.32ms --pool 10").get("pool");
    assertTrue(pool.get("keepsUp").asBoolean());
    assertEquals(0.351216, pool.get("utilisation").asDouble(), 1e-9);
    assertEquals(2314.8, pool.get("servedPerSecondAtMost").asDouble(), 0.05);
  }

  @Test
  void theWaitIsThatOfErlangsFormula() throws Exception {
    // One connection, half used (M/M/1): P(wait) = 0.5; mean wait = 0.5 / (100/s - 50/s) = 10 ms;
    // p99 = ln(0.5 / 0.01) / 50/s = 78.24 ms
    JsonNode pool = json("littles-law --rps 50 --hold 10ms --pool 1").get("pool");
    assertEquals(0.5, pool.get("waitProbability").asDouble(), 1e-12);
    assertEquals(0.010, pool.get("meanWaitSeconds").asDouble(), 1e-9);
    assertEquals(0.07824, pool.get("p99WaitSeconds").asDouble(), 1e-5);
  }

  @Test
  void aPauseOf31MillisecondsLeavesFifteenWaitingForTenMilliseconds() throws Exception {
    // 800/s x 31 ms = 24.8 arrivals; 24.8 - 10 = 14.8 wait; 14.8 / (2,314.8/s - 800/s) = 9.77 ms
    JsonNode pause =
        json("littles-law --rps 800 --hold 4.32ms --pool 10 --pause 31ms").get("pause");
    assertEquals(24.8, pause.get("arrivals").asDouble(), 1e-9);
    assertEquals(14.8, pause.at("/poolIdle/mustWait").asDouble(), 1e-9);
    assertEquals(0.00977, pause.at("/poolIdle/drainSeconds").asDouble(), 1e-5);
    // 800/s x 4.32 ms = 3.456 are in use: 24.8 - (10 - 3.456) = 18.256
    assertEquals(18.256, pause.at("/poolAsUsual/mustWait").asDouble(), 1e-9);
  }

  @Test
  void overloadIsStatedPlainly() throws Exception {
    String command = "littles-law --rps 1000 --hold 20ms --pool 10 --pause 31ms";
    String text = run(command);
    // 1,000/s x 20 ms = 20 of 10; 10 / 20 ms = 500/s served, so 500/s more every second
    assertTrue(
        text.startsWith("20 connections needed, the pool has 10 and cannot keep up\n"), text);
    assertTrue(text.contains("1,000/s - 500/s = 500/s"), text);
    assertTrue(text.contains("Overload"), text);
    JsonNode answer = json(command);
    assertTrue(answer.at("/pool/meanWaitSeconds").isNull());
    assertTrue(answer.at("/pool/p99WaitSeconds").isNull());
    assertTrue(answer.at("/pause/poolIdle/drainSeconds").isNull());
  }

  @Test
  void theSmallestPoolForAWantedWaitIsFound() throws Exception {
    // M/M/1 at 50/s x 10 ms: p99 is 78.24 ms, as above, so one connection does for 79 ms, not 78.
    assertEquals(
        1,
        json("littles-law --rps 50 --hold 10ms --target-wait 79ms@p99")
            .get("smallestPool")
            .asInt());
    assertEquals(
        2, json("littles-law --rps 50 --hold 10ms --target-wait 78ms").get("smallestPool").asInt());
  }

  @Test
  void absurdlyLargeLoadsGetAnAnswer() throws Exception {
    JsonNode answer =
        json("littles-law --rps 1000000000 --hold 1000h --pool 1 --target-wait 1ms@p99.9");
    assertTrue(answer.get("smallestPool").isNull());
    assertEquals(3.6e15, answer.get("connectionsNeeded").asDouble());
  }

  @Test
  void aSmallLoadIsNotRoundedAway() {
    // 5/s x 0.866 ms = 0.00433
    String text = run("littles-law --rps 5 --hold 866us");
    assertTrue(text.startsWith("0.00433 connections needed\n"), text);
  }

  @Test
  void markdownSpellsOutTheSameSums() {
    String text = run("littles-law --rps 1000 --hold 4.32ms --format markdown");
    assertTrue(text.startsWith("# 4.32 connections needed\n"), text);
    assertTrue(text.contains("```text\n"), text);
  }
}
