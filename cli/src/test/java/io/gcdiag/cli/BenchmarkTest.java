package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.fixtures.Incidents;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stranger takes the benchmark: questions laid out, a file of answers scored. */
@Tag("slow")
class BenchmarkTest {

  private static final Path ROOT = Incidents.folder("depot-scans").resolve("../../..").normalize();

  @TempDir static Path folder;

  @TempDir static Path classes;

  private static List<JsonNode> questions;

  /** What the program printed, its errors among it. */
  private static String run(String... arguments) throws Exception {
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classes + File.pathSeparator + System.getProperty("java.class.path"),
                "Benchmark"));
    words.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(words).directory(ROOT.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }

  @BeforeAll
  static void layOut() throws Exception {
    ToolProvider.getSystemJavaCompiler()
        .run(
            null,
            null,
            null,
            "-d",
            classes.toString(),
            ROOT.resolve("fixtures/benchmark/Benchmark.java").toString());
    run("cases", folder.toString());
    questions = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("cases.jsonl"))) {
      questions.add(new ObjectMapper().readTree(line));
    }
  }

  private static String answered(String ranked, Stream<JsonNode> questions) throws Exception {
    Path answers = folder.resolve("answers.jsonl");
    Files.write(
        answers,
        questions
            .map(
                one ->
                    "{\"case\":%s,\"evidence\":%s,\"ranked\":[%s],\"confidence\":\"sure\"}"
                        .formatted(one.get("case"), one.get("evidence"), ranked))
            .toList());
    return run("score", answers.toString());
  }

  private static boolean isRecording(JsonNode question) {
    return question.get("evidence").asText().equals("recording");
  }

  private static boolean isHealthy(Path truth) {
    try {
      return !new ObjectMapper().readTree(truth.toFile()).hasNonNull("primarySuspect");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static long recordings(boolean healthyOnly) throws IOException {
    long count = 0;
    for (String set : List.of("fixtures/incidents", "fixtures/blind")) {
      try (Stream<Path> cases = Files.list(ROOT.resolve(set))) {
        for (Path one : cases.toList()) {
          Path truth = one.resolve("truth.json");
          if (Files.exists(truth) && (!healthyOnly || isHealthy(truth))) {
            try (Stream<Path> files = Files.list(one)) {
              count += files.anyMatch(file -> file.toString().contains(".jfr")) ? 1 : 0;
            }
          }
        }
      }
    }
    return count;
  }

  @Test
  void whoCallsAllHealthyIsRightOnTheHealthy() throws Exception {
    long all = recordings(false);
    long healthy = recordings(true);

    String score = answered("\"healthy\"", questions.stream().filter(BenchmarkTest::isRecording));

    String line = line(score, "  recording");
    String right = "%.0f".formatted(100.0 * healthy / all);
    assertTrue(
        line.matches("  recording +%s %% .* 0 +%d +%d".formatted(right, all - healthy, all)), line);
    // None of three: from 0 to 1.96^2 / (3 + 1.96^2) = 56 % (Wilson, 95 %).
    assertTrue(line(score, "  direct-memory").contains(" 0 % (0 to 56) "), score);
    assertTrue(
        line(score, "  together").contains("%d, 100 %%".formatted(all - healthy)),
        "sick called healthy: " + score);
  }

  @Test
  void namesOfFoldersSayNothing() {
    for (JsonNode question : questions) {
      String file = question.at("/files/0").asText();
      assertTrue(file.matches("(practice|test)/case-[0-9a-f]{6}/[a-z0-9.-]+"), file);
    }
  }

  @Test
  void theFirstAnswerCountsAndAnOpenQuestionIsNoGain() throws Exception {
    JsonNode first = questions.stream().filter(BenchmarkTest::isRecording).findFirst().get();
    long asked =
        questions.stream()
            .filter(BenchmarkTest::isRecording)
            .filter(one -> one.get("split").equals(first.get("split")))
            .count();

    String score = answered("\"slow-disk\"", Stream.of(first, first));

    assertTrue(
        score.contains(
            "2 answers; 0 to no question here, 1 to one answered before, %d questions not answered"
                .formatted(asked - 1)),
        score);
    assertTrue(line(score, "  recording").endsWith(" " + asked), score);
  }

  @Test
  void whatIsNoJsonIsNamedByItsNumber() throws Exception {
    Path answers = Files.writeString(folder.resolve("bad.jsonl"), "\nno answer\n");

    assertTrue(run("score", answers.toString()).contains("answer 1 is no JSON"));
  }

  private static String line(String text, String start) {
    return text.lines()
        .filter(line -> line.startsWith(start + " "))
        .findFirst()
        .orElseThrow(() -> new AssertionError(start + " is not in " + text));
  }
}
