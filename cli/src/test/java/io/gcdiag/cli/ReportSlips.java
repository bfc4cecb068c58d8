package io.gcdiag.cli;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What a reader stumbles at, in the text of a report with everything. */
final class ReportSlips {

  /** A share of nothing is "none", a tiny one "less than 0.1 %". */
  private static final Pattern ZERO = Pattern.compile("(?<![\\d.])0\\.0+ ?%");

  private static final Pattern PLURAL =
      Pattern.compile(
          "(?<![\\d.,-])1 (pauses|threads|samples|connections|requests|files|dumps|waits|calls|events"
              + "|GCs|values|holds|workers|stacks|classes|figures|others|series|intervals)\\b");

  /** The end of a label that was cut. */
  private static final Pattern CUT = Pattern.compile("\\S \\.\\. |\\w\\.\\. ");

  /** A figure of the profile, which several rules look at. */
  private static final Pattern PROFILE =
      Pattern.compile(" of the samples (in|in or below) [\\w.$]+\\.");

  private ReportSlips() {}

  /** The lines with a slip. */
  static List<String> of(String verbose) {
    List<String> slips = new ArrayList<>();
    Set<String> profile = new HashSet<>();
    for (String line : verbose.lines().toList()) {
      boolean repeated =
          line.startsWith("    ") && PROFILE.matcher(line).find() && !profile.add(line);
      if (repeated
          || ZERO.matcher(line).find()
          || PLURAL.matcher(line).find()
          || CUT.matcher(line).find()) {
        slips.add(line);
      }
    }
    return slips;
  }
}
