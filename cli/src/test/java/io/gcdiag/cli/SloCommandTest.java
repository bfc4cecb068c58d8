package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.fixtures.SampleFiles;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** 180 requests of JMeter: P95 is 39 ms (the 171st of the sorted column "elapsed"), none failed. */
class SloCommandTest extends PlainRuns {

  private static final String TEST = SampleFiles.file("load/jmeter-5.6.jtl").toString();

  @Test
  void aMetTargetPassesThePipeline() {
    assertEquals(
        0,
        run("slo", TEST, "--p95", "50ms", "--success", "99%", "--fail-on", "slo"),
        err::toString);
    assertTrue(out.toString().startsWith("Targets met\n"), out::toString);
  }

  @Test
  void aMissedTargetStopsThePipelineOnlyIfAsked() {
    assertEquals(10, run("slo", TEST, "--p95", "30ms", "--fail-on", "slo"));
    assertTrue(
        out.toString().startsWith("Targets missed: P95 at most 30 ms (measured: "), out::toString);
    assertEquals(0, run("slo", TEST, "--p95", "30ms"));
  }

  @Test
  void machinesGetTheSameAnswer() throws IOException {
    assertEquals(0, run("slo", TEST, "--p95", "50ms", "--format", "json"), err::toString);
    JsonNode root = new ObjectMapper().readTree(out.toString());
    assertEquals("met", root.get("conclusion").asText());
    assertEquals("P95 at most 50 ms", root.at("/targets/0/target").asText());
    assertEquals("load model", root.at("/testValidity/0/topic").asText());
  }

  @Test
  void withoutALoadTestItSaysWhatToGiveAndNoColumnIsEmpty() {
    String log = SampleFiles.file("gc-logs/g1-jdk11.log.gz").toString();
    assertEquals(0, run("slo", log, "--p95", "50ms"), err::toString);
    String text = out.toString();
    assertTrue(text.contains("no load test: give its result (k6, JMeter"), text);
    assertTrue(!text.contains("Margin") && !text.contains("Over time"), text);
  }

  @Test
  void withoutATargetThereIsNothingToJudge() {
    assertEquals(2, run("slo", TEST));
    assertTrue(err.toString().contains("give at least one of --p95"), err::toString);
  }

  @Test
  void aShareIsWrittenInPercentOrAsAFraction() {
    assertEquals(0, run("slo", TEST, "--success", "0.99"), err::toString);
    assertEquals(2, run("slo", TEST, "--success", "most"));
    assertTrue(err.toString().contains("write it like 99% or 0.99"), err::toString);
  }
}
