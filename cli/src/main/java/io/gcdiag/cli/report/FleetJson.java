package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.books.Interval;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.fleet.CaseFigures;
import io.gcdiag.fleet.CaseOutcome;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.fleet.CauseChange;
import io.gcdiag.fleet.FleetSummary;
import io.gcdiag.fleet.GroupTotal;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** A fleet's summary for machines. Fields may be added, never renamed or dropped. */
final class FleetJson {

  private FleetJson() {}

  static JsonNode of(FleetSummary summary) {
    ObjectNode root = JsonText.document();
    root.put("groupBy", summary.groupBy().name().toLowerCase(Locale.ROOT));
    putGroup(root.putObject("all"), summary.all(), summary);
    ArrayNode causes = root.putArray("causes");
    summary
        .causes()
        .forEach(
            total -> {
              ObjectNode node = causes.addObject();
              node.put("id", total.cause().id());
              node.set("lostSeconds", JsonText.number(total.lostSeconds()));
              node.put("primary", total.primary());
              node.put("contributing", total.contributing());
              ArrayNode groups = node.putArray("groups");
              total.groups().forEach(name -> groups.add(JsonText.text(name)));
              putCase(node.putObject("worst"), summary.rows().at(total.worst().place()));
            });
    ArrayNode groups = root.putArray("groups");
    for (GroupTotal group : summary.groups()) {
      ObjectNode node = groups.addObject();
      node.set("name", JsonText.text(group.name()));
      putGroup(node, group, summary);
    }
    ArrayNode changes = root.putArray("changes");
    summary.changes().forEach(change -> putChange(changes.addObject(), change));
    ArrayNode outliers = root.putArray("outliers");
    summary
        .outliers()
        .forEach(
            one -> {
              ObjectNode node = outliers.addObject();
              node.set("service", JsonText.text(one.service()));
              node.set("host", JsonText.text(one.host()));
              node.set("cause", JsonText.text(one.cause().map(Hypothesis::id)));
              putCount(node.putObject("own"), one.own());
              putCount(node.putObject("peers"), one.peers());
              node.set("chance", JsonText.number(one.chance()));
            });
    ArrayNode failed = root.putArray("failed");
    summary.all().cases().stream()
        .filter(one -> one.outcome() == CaseOutcome.FAILED)
        .forEach(
            one -> {
              CaseRow row = summary.rows().at(one.place());
              ObjectNode node = failed.addObject();
              putCase(node, row);
              node.set("error", JsonText.text(row.error()));
            });
    return root;
  }

  private static void putGroup(ObjectNode node, GroupTotal group, FleetSummary summary) {
    node.put("cases", group.cases().size());
    for (CaseOutcome outcome : CaseOutcome.values()) {
      node.put(name(outcome), group.count(outcome));
    }
    node.set("lostSeconds", JsonText.number(group.lostSeconds()));
    node.set("cause", JsonText.text(group.cause().map(Hypothesis::id)));
    node.set("since", JsonText.text(group.since().map(Instant::toString)));
    Optional<CaseFigures> worst = group.worst();
    if (worst.isPresent()) {
      putCase(node.putObject("worst"), summary.rows().at(worst.get().place()));
    } else {
      node.putNull("worst");
    }
  }

  private static String name(CaseOutcome outcome) {
    return switch (outcome) {
      case PRIMARY_SUSPECT -> "primarySuspect";
      case UNDECIDED -> "undecided";
      case FAILED -> "failed";
      case HEALTHY -> "healthy";
    };
  }

  private static void putCase(ObjectNode node, CaseRow row) {
    node.set("case", JsonText.text(row.key().id()));
    node.set("report", JsonText.text(row.report()));
  }

  private static void putChange(ObjectNode node, CauseChange change) {
    node.set("service", JsonText.text(change.service()));
    node.put("cause", change.cause().id());
    node.set("what", JsonText.text(change.what()));
    node.put("at", change.at().toString());
    putCount(node.putObject("before"), change.before());
    putCount(node.putObject("after"), change.after());
    node.set("chance", JsonText.number(change.chance()));
  }

  private static void putCount(ObjectNode node, CauseChange.Count count) {
    node.put("named", count.named());
    node.put("cases", count.cases());
    Interval range = count.interval();
    JsonText.putInterval(node, "shareInterval", Optional.of(range));
  }
}
