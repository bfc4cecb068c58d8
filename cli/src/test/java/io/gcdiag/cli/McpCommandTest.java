package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.Analysis;
import io.gcdiag.cli.settings.Settings.Folders;
import io.gcdiag.fixtures.Incidents;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A session of an assistant, line by line. */
@Tag("slow")
class McpCommandTest {

  private static final String INCIDENT = Incidents.folder("orders-pool-of-three").toString();

  private static List<JsonNode> session(List<String> options, String... lines) throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> words = new ArrayList<>(List.of("mcp"));
    words.addAll(options);
    byte[] bytes = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    int code;
    try (StandardInput input = new StandardInput(new ByteArrayInputStream(bytes), () -> false)) {
      code =
          Main.run(
              words.toArray(String[]::new),
              Analysis::run,
              Terminal.NONE,
              input,
              Folders.none(),
              new PrintWriter(out),
              new PrintWriter(err));
    }
    assertEquals(0, code, err.toString());
    List<JsonNode> answers = new ArrayList<>();
    for (String line : out.toString().lines().toList()) {
      answers.add(new ObjectMapper().readTree(line));
    }
    return answers;
  }

  private static String call(int id, String tool, String arguments) {
    return """
        {"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":%s}}"""
        .formatted(id, tool, arguments);
  }

  private static String paths(String... paths) {
    return new ObjectMapper().createObjectNode().set("paths", array(paths)).toString();
  }

  private static JsonNode array(String... texts) {
    return new ObjectMapper().valueToTree(texts);
  }

  @Test
  void anAssistantFindsTheToolsAndAsksBoth() throws Exception {
    List<JsonNode> answers =
        session(
            List.of(),
            "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
                + "\"2025-03-26\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":\"one\",\"method\":\"tools/list\"}",
            call(2, "analyze", paths(INCIDENT)),
            call(3, "facts", paths(INCIDENT)));

    assertEquals(4, answers.size(), "a notification has no answer");
    assertEquals("2025-03-26", answers.get(0).at("/result/protocolVersion").asText());
    assertTrue(answers.get(0).at("/result/capabilities").has("tools"));
    assertEquals("one", answers.get(1).get("id").asText());
    assertEquals(
        List.of("analyze", "facts"), answers.get(1).at("/result/tools").findValuesAsText("name"));
    assertEquals("object", answers.get(1).at("/result/tools/0/inputSchema/type").asText());
    assertFalse(answers.get(2).at("/result/isError").asBoolean(true));
    String text = answers.get(2).at("/result/content/0/text").asText();
    assertTrue(text.contains("Connection pool"), text);
    JsonNode facts =
        new ObjectMapper().readTree(answers.get(3).at("/result/content/0/text").asText());
    assertFalse(facts.get("stations").isEmpty());
  }

  @Test
  void whatCannotBeReadIsAnErrorOfTheToolAndTheSessionGoesOn() throws Exception {
    List<JsonNode> answers =
        session(
            List.of(),
            call(1, "analyze", paths("/no/such/file")),
            call(2, "analyze", "{}"),
            call(3, "analyze", paths("--output=/tmp/written")),
            call(4, "facts", "{\"paths\":[\"x\"],\"incident\":\"yesterday\"}"),
            "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}");

    assertEquals(5, answers.size());
    for (JsonNode answer : answers.subList(0, 4)) {
      assertTrue(answer.at("/result/isError").asBoolean(), answer.toString());
    }
    assertTrue(
        answers.get(2).at("/result/content/0/text").asText().contains("written: no such file"),
        "a path is no option: " + answers.get(2));
    assertEquals("{}", answers.get(4).get("result").toString());
  }

  @Test
  void whatIsNoQuestionOfTheProtocolHasTheErrorOfJsonRpc() throws Exception {
    List<JsonNode> answers =
        session(
            List.of(),
            "no json",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/list\"}",
            call(2, "delete", "{}"));

    assertEquals(
        List.of(-32700, -32601, -32602),
        answers.stream().map(answer -> answer.at("/error/code").asInt()).toList());
  }
}
