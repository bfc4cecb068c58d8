package io.gcdiag.cli.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.fleet.CaseKey;
import io.gcdiag.fleet.cases.FleetCase;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A case to analyse, as one process gives it to another.
 *
 * @param one the case
 * @param key what its row is filed under
 * @param report where to write its report
 * @param hiding what is hidden
 */
public record CaseTask(FleetCase one, CaseKey key, Path report, Hiding hiding) {

  /**
   * What is hidden of what the files say.
   *
   * @param secrets passwords, tokens and other secrets
   * @param hosts names and addresses of hosts
   */
  public record Hiding(boolean secrets, boolean hosts) {}

  /** On one line without its end. */
  String text() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("case", one.id());
    node.put("digest", key.digest());
    node.put("version", key.version());
    node.put("folder", one.folder().toString());
    ArrayNode files = node.putArray("files");
    one.files().forEach(file -> files.add(file.toString()));
    node.put("whole", one.whole());
    RowJson.putOrigin(node, one.origin());
    RowJson.putTime(node, one.time());
    node.put("report", report.toString());
    node.put("hideSecrets", hiding.secrets());
    node.put("hideHosts", hiding.hosts());
    return node.toString();
  }

  /** The task of a line. */
  static Optional<CaseTask> of(String line) {
    return RowJson.tree(line).map(CaseTask::of);
  }

  private static CaseTask of(JsonNode node) {
    String id = node.path("case").asText();
    return new CaseTask(
        new FleetCase(
            id,
            Path.of(node.path("folder").asText()),
            RowJson.list(node.path("files"), file -> Optional.of(Path.of(file.asText()))),
            node.path("whole").asBoolean(),
            RowJson.origin(node),
            RowJson.time(node)),
        new CaseKey(id, node.path("digest").asText(), node.path("version").asText()),
        Path.of(node.path("report").asText()),
        new Hiding(node.path("hideSecrets").asBoolean(), node.path("hideHosts").asBoolean()));
  }
}
