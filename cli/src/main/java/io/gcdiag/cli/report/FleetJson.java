package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.fleet.CaseFigures;
import io.gcdiag.fleet.CaseOutcome;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.fleet.CauseChange;
import io.gcdiag.fleet.CauseTotal;
import io.gcdiag.fleet.FleetSummary;
import io.gcdiag.fleet.GroupTotal;
import io.gcdiag.fleet.Outlier;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A fleet's summary for machines. Fields may be added, never renamed or dropped. */
final class FleetJson {

  private final FleetSummary summary;

  private FleetJson(FleetSummary summary) {
    this.summary = summary;
  }

  static JsonNode of(FleetSummary summary) {
    return new FleetJson(summary).document();
  }

  private JsonNode document() {
    List<CaseFigures> failed =
        summary.all().cases().stream().filter(one -> one.outcome() == CaseOutcome.FAILED).toList();
    return JsonFields.document()
        .text("groupBy", summary.groupBy().name().toLowerCase(Locale.ROOT))
        .put("all", group(new JsonFields(), summary.all()))
        .objects("causes", summary.causes(), this::cause)
        .objects(
            "groups",
            summary.groups(),
            one -> group(new JsonFields().text("name", one.name()), one))
        .objects("changes", summary.changes(), FleetJson::change)
        .objects("outliers", summary.outliers(), FleetJson::outlier)
        .objects("failed", failed, one -> caseOf(one).text("error", row(one).error()))
        .node();
  }

  private CaseRow row(CaseFigures one) {
    return summary.rows().at(one.place());
  }

  private JsonFields caseOf(CaseFigures one) {
    CaseRow row = row(one);
    return new JsonFields().text("case", row.key().id()).text("report", row.report());
  }

  private JsonFields group(JsonFields fields, GroupTotal group) {
    fields.number("cases", group.cases().size());
    for (CaseOutcome outcome : CaseOutcome.values()) {
      fields.number(name(outcome), group.count(outcome));
    }
    return fields
        .number("lostSeconds", group.lostSeconds())
        .text("cause", group.cause().map(Hypothesis::id))
        .text("since", group.since().map(Instant::toString))
        .put("worst", group.worst().map(this::caseOf));
  }

  private static String name(CaseOutcome outcome) {
    return switch (outcome) {
      case PRIMARY_SUSPECT -> "primarySuspect";
      case UNDECIDED -> "undecided";
      case FAILED -> "failed";
      case HEALTHY -> "healthy";
    };
  }

  private JsonFields cause(CauseTotal total) {
    return new JsonFields()
        .text("id", total.cause().id())
        .number("lostSeconds", total.lostSeconds())
        .number("primary", total.primary())
        .number("contributing", total.contributing())
        .texts("groups", total.groups())
        .put("worst", caseOf(total.worst()));
  }

  private static JsonFields change(CauseChange change) {
    return new JsonFields()
        .text("service", change.service())
        .text("cause", change.cause().id())
        .text("what", change.what())
        .text("at", change.at().toString())
        .put("before", count(change.before()))
        .put("after", count(change.after()))
        .number("chance", change.chance());
  }

  private static JsonFields outlier(Outlier one) {
    return new JsonFields()
        .text("service", one.service())
        .text("host", one.host())
        .text("cause", one.cause().map(Hypothesis::id))
        .put("own", count(one.own()))
        .put("peers", count(one.peers()))
        .number("chance", one.chance());
  }

  private static JsonFields count(CauseChange.Count count) {
    return new JsonFields()
        .number("named", count.named())
        .number("cases", count.cases())
        .interval("shareInterval", Optional.of(count.interval()));
  }
}
