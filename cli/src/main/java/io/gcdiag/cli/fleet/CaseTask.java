package io.gcdiag.cli.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.fleet.CaseDigest;
import io.gcdiag.fleet.CaseKey;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.fleet.FleetCase;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * A case to analyse, as one process gives it to another.
 *
 * @param key what its row is filed under
 * @param report where to write its report
 * @param wishes what the answer holds
 */
public record CaseTask(FleetCase one, CaseKey key, Path report, Wishes wishes) {

  /** Which cases get a report. */
  public enum Reports {
    /** Each that could be analysed. */
    ALL,
    /** Those with a primary suspect. */
    SUSPECTS,
    /** None: the rows are enough. */
    NONE;

    boolean has(CaseRow row) {
      return this == ALL || this == SUSPECTS && row.primary().isPresent();
    }
  }

  /**
   * What the answer holds.
   *
   * @param hideSecrets whether passwords, tokens and other secrets are hidden
   * @param hideHosts whether names and addresses of hosts are hidden
   * @param reports which cases get a report
   */
  public record Wishes(boolean hideSecrets, boolean hideHosts, Reports reports)
      implements Serializable {

    /** With what the settings file of a case asks for. */
    Wishes of(FleetCase one) {
      return new Wishes(hideSecrets, hideHosts || FolderSettings.hidesHosts(one.folder()), reports);
    }

    /** What the answer of a case depends on beside its files. */
    String options() {
      return "secrets hidden: " + hideSecrets + ", hosts hidden: " + hideHosts;
    }
  }

  /**
   * The task of a case that was found.
   *
   * @param asked what the answer holds, unless the settings file of the case asks for more
   * @param version of the program
   * @param report where the report of a case of that name goes
   */
  public static CaseTask of(
      FleetCase found, Wishes asked, String version, Function<String, Path> report) {
    Wishes its = asked.of(found);
    FleetCase one = its.hideHosts() ? found.withoutHost() : found;
    CaseKey key = new CaseKey(one.id(), CaseDigest.of(one, its.options()), version);
    return new CaseTask(one, key, report.apply(one.id()), its);
  }

  /** On one line without its end. */
  public String text() {
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
    node.put("hideSecrets", wishes.hideSecrets());
    node.put("hideHosts", wishes.hideHosts());
    node.put("reports", wishes.reports().name());
    return node.toString();
  }

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
        new Wishes(
            node.path("hideSecrets").asBoolean(),
            node.path("hideHosts").asBoolean(),
            Reports.valueOf(node.path("reports").asText())));
  }
}
