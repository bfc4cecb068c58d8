package io.gcdiag.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.report.Version;
import io.gcdiag.cli.settings.Settings.Folders;
import io.gcdiag.units.ResourceText;
import io.gcdiag.verdict.Diagnosis;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Answers an assistant on standard input and output: the Model Context Protocol, which is JSON-RPC
 * 2.0 with a message a line. A tool is a command of this program and answers what that prints.
 */
final class McpCommand extends Command {

  /** Those that differ in nothing that is used here; the newest first. */
  private static final List<String> VERSIONS = List.of("2025-06-18", "2025-03-26", "2024-11-05");

  private static final String PATHS = "paths";
  private static final List<String> WINDOWS = List.of("incident", "baseline");

  private static final int NO_JSON = -32700;
  private static final int NO_METHOD = -32601;
  private static final int WRONG_PARAMETERS = -32602;

  private final BooleanSupplier redactHosts = command.flag("--redact-hosts");

  private final ObjectMapper mapper = new ObjectMapper();

  private final Function<AnalysisRequest, Diagnosis> analysis;

  McpCommand(Function<AnalysisRequest, Diagnosis> analysis, Terminal terminal) {
    super("mcp", terminal);
    this.analysis = analysis;
  }

  @Override
  public Integer call() {
    PrintWriter out = command.out();
    try (BufferedReader lines = command.tool().standardInput().lines()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        answer(line).ifPresent(answer -> out.print(answer + "\n"));
        out.flush();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ExitCode.DONE.code();
  }

  /** None for a message that asks nothing. */
  private Optional<ObjectNode> answer(String line) throws IOException {
    JsonNode message;
    try {
      message = mapper.readTree(line);
    } catch (JsonProcessingException e) {
      return Optional.of(failed(mapper.nullNode(), NO_JSON, "this line is no JSON"));
    }
    JsonNode id = message.path("id");
    if (id.isMissingNode()) {
      return Optional.empty();
    }
    JsonNode given = message.path("params");
    return Optional.of(
        switch (message.path("method").asText()) {
          case "initialize" -> result(id, greeting(given.path("protocolVersion").asText()));
          case "ping" -> result(id, mapper.createObjectNode());
          case "tools/list" -> result(id, tools());
          case "tools/call" ->
              tools().findValuesAsText("name").contains(given.path("name").asText())
                  ? result(id, called(given.path("name").asText(), given.path("arguments")))
                  : failed(id, WRONG_PARAMETERS, "there is no tool " + given.path("name"));
          default -> failed(id, NO_METHOD, "there is no method " + message.path("method"));
        });
  }

  private ObjectNode message(JsonNode id) {
    return mapper.createObjectNode().put("jsonrpc", "2.0").set("id", id);
  }

  private ObjectNode result(JsonNode id, JsonNode result) {
    return message(id).set("result", result);
  }

  private ObjectNode failed(JsonNode id, int code, String why) {
    ObjectNode message = message(id);
    message.putObject("error").put("code", code).put("message", why);
    return message;
  }

  private ObjectNode greeting(String asked) {
    ObjectNode greeting = mapper.createObjectNode();
    greeting.put("protocolVersion", VERSIONS.contains(asked) ? asked : VERSIONS.get(0));
    greeting.putObject("capabilities").putObject("tools");
    greeting.putObject("serverInfo").put("name", "gcdiag").put("version", Version.number());
    return greeting;
  }

  private JsonNode tools() throws IOException {
    return mapper.readTree(ResourceText.whole(McpCommand.class, "mcp-tools.json"));
  }

  /** What the command of that name prints, or why it cannot. */
  private ObjectNode called(String tool, JsonNode arguments) {
    List<String> words = new ArrayList<>(List.of(tool, "--quiet"));
    if (redactHosts.getAsBoolean()) {
      words.add("--redact-hosts");
    }
    WINDOWS.stream()
        .filter(arguments::hasNonNull)
        .forEach(window -> words.add("--" + window + "=" + arguments.get(window).asText()));
    // What follows is no option, however it begins.
    words.add("--");
    arguments.path(PATHS).forEach(path -> words.add(path.asText()));
    StringWriter printed = new StringWriter();
    StringWriter said = new StringWriter();
    int code =
        Main.run(
            words.toArray(String[]::new),
            analysis,
            Terminal.NONE,
            StandardInput.none(),
            Folders.none(),
            new PrintWriter(printed),
            new PrintWriter(said));
    boolean done = code == ExitCode.DONE.code();
    ObjectNode result = mapper.createObjectNode().put("isError", !done);
    result
        .putArray("content")
        .addObject()
        .put("type", "text")
        .put("text", (done ? printed : said).toString());
    return result;
  }
}
