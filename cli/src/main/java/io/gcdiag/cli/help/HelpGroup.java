package io.gcdiag.cli.help;

import java.util.Arrays;
import java.util.List;

/** The headings under which the help lists arguments and options, the same in all commands. */
public enum HelpGroup {
  /** Arguments that are not files. */
  ARGUMENTS("Arguments"),
  /** What is read, and how. */
  INPUTS(
      "Inputs",
      "--jfr",
      "--gc-log",
      "--thread-dump",
      "--load",
      "--metrics",
      "--from",
      "--list",
      "--pattern",
      "--map",
      "--frames",
      "--jfr-reader",
      "--cross-check"),
  /** Facts that files may not hold. */
  KNOWN("What you know", "--rps", "--pool-size", "--pool", "--hold", "--pause"),
  /** What a load test or a pool has to meet. */
  TARGETS(
      "Targets",
      "--p50",
      "--p90",
      "--p95",
      "--p99",
      "--rate",
      "--success",
      "--for",
      "--target-wait"),
  /** Which part of the time. */
  WINDOWS("Windows", "--incident", "--baseline", "--percentile", "--every", "--changed-at"),
  /** How many cases at once, and what each may take. */
  RUNNING("Running", "--jobs", "--memory", "--timeout", "--retry-failed"),
  /** Where the report goes and what it looks like. */
  OUTPUT(
      "Output",
      "--out",
      "--reports",
      "--group-by",
      "--format",
      "--output",
      "--report",
      "--force",
      "--color",
      "--ascii",
      "--verbose",
      "--max-size",
      "--time-zone",
      "--fail-on"),
  /** What is hidden. */
  PRIVACY("Privacy", "--no-redact", "--redact-hosts"),
  /** The rest. */
  OTHER("Other", "--no-progress", "--quiet", "--debug", "--help", "--version");

  private final String heading;
  private final List<String> options;

  HelpGroup(String heading, String... options) {
    this.heading = heading;
    this.options = List.of(options);
  }

  /** The heading of the group. */
  public String heading() {
    return heading;
  }

  /** The group of an option by its long name; {@link #OTHER} if no group lists it. */
  public static HelpGroup of(String option) {
    return Arrays.stream(values())
        .filter(group -> group.options.contains(option))
        .findFirst()
        .orElse(OTHER);
  }

  /** Whether a group lists the option. */
  public static boolean lists(String option) {
    return Arrays.stream(values()).anyMatch(group -> group.options.contains(option));
  }
}
