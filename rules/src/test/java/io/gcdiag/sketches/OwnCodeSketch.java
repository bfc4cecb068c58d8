package io.gcdiag.sketches;

import static io.gcdiag.sketches.IncidentBuilder.at;

import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.jvm.OwnCode;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.time.PlaceCounts;
import io.gcdiag.evidence.time.Source;
import java.util.List;

/** Code of the service that is seen at one thing in each second of a baseline and an incident. */
public final class OwnCodeSketch {

  /** Where all of the requests begin. */
  public static final CodePlace PAGE = new CodePlace("shop.Page.show", 12);

  private OwnCodeSketch() {}

  /** So much of it in each second, at a place that requests reach from the page. */
  public static OwnCode steady(Activity activity, long before, long during, String method) {
    return steady(activity, before, during, method, PAGE.method());
  }

  /** The same, at a place that the given method reaches. */
  public static OwnCode steady(
      Activity activity, long before, long during, String method, String begins) {
    CodePlace place = new CodePlace(method, 8);
    PlaceCounts amounts = new PlaceCounts();
    for (int second = 0; second < 120; second++) {
      long amount = second < 60 ? before : during;
      amounts.add(0, at(second).getEpochSecond() * 1_000_000_000L, amount);
    }
    amounts.close();
    Spot spot = new Spot("", place, place, new CodePlace(begins, PAGE.line()), true, true);
    return new OwnCode(at(0), activity, List.of(spot), amounts, new Source("recording.jfr", ""));
  }
}
