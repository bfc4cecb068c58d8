package io.gcdiag.cli.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.fleet.CaseFigures;
import io.gcdiag.fleet.CaseOutcome;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.fleet.CauseChange;
import io.gcdiag.fleet.CauseTotal;
import io.gcdiag.fleet.FleetSummary;
import io.gcdiag.fleet.GroupTotal;
import io.gcdiag.fleet.Outlier;
import io.gcdiag.units.Estimate;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** A fleet's summary for machines. Fields may be added, never renamed or dropped. */
record FleetJson(
    String groupBy,
    Group all,
    List<CauseTotal> causes,
    List<Group> groups,
    List<CauseChange> changes,
    List<Outlier> outliers,
    List<Failed> failed) {

  static JsonNode of(FleetSummary summary) {
    return Json.document(
        new FleetJson(
            summary.groupBy().name().toLowerCase(Locale.ROOT),
            Group.of(Optional.empty(), summary.all()),
            summary.causes(),
            Json.each(summary.groups(), one -> Group.of(Optional.of(one.name()), one)),
            summary.changes(),
            summary.outliers(),
            summary.all().cases().stream()
                .filter(one -> one.outcome() == CaseOutcome.FAILED)
                .map(one -> Failed.of(summary.rows().at(one.place())))
                .toList()),
        new SimpleModule()
            .setMixInAnnotation(CauseTotal.class, Total.class)
            .setMixInAnnotation(CauseChange.Count.class, Count.class)
            .setMixInAnnotation(Outlier.class, Other.class)
            .addSerializer(
                Json.as(CaseFigures.class, one -> One.of(summary.rows().at(one.place())))));
  }

  private record One(@JsonProperty("case") String id, String report) {
    static One of(CaseRow row) {
      return new One(row.key().id(), row.report());
    }
  }

  private record Failed(@JsonProperty("case") String id, String report, String error) {
    static Failed of(CaseRow row) {
      return new Failed(row.key().id(), row.report(), row.error());
    }
  }

  private record Group(
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<String> name,
      int cases,
      int primarySuspect,
      int undecided,
      int failed,
      int healthy,
      OptionalDouble lostSeconds,
      Optional<Hypothesis> cause,
      Optional<Instant> since,
      Optional<CaseFigures> worst) {

    static Group of(Optional<String> name, GroupTotal group) {
      return new Group(
          name,
          group.cases().size(),
          group.count(CaseOutcome.PRIMARY_SUSPECT),
          group.count(CaseOutcome.UNDECIDED),
          group.count(CaseOutcome.FAILED),
          group.count(CaseOutcome.HEALTHY),
          group.lostSeconds(),
          group.cause(),
          group.since(),
          group.worst());
    }
  }

  @JsonPropertyOrder({"id", "lostSeconds", "primary", "contributing", "groups", "worst"})
  private interface Total {
    @JsonProperty("id")
    Hypothesis cause();
  }

  @JsonPropertyOrder({"named", "cases", "shareInterval"})
  private interface Count {
    @JsonProperty("shareInterval")
    Estimate interval();
  }

  @JsonPropertyOrder({"service", "host", "cause", "own", "peers", "chance"})
  private interface Other {}
}
