package io.gcdiag.diagnosis;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.effects.EffectTimes;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Ratio;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/** What most of the lost time was spent in: where to look, whatever caused it. */
final class LargestEffect {

  private LargestEffect() {}

  /**
   * A sentence with its largest part, and what was mostly waited for; absent where no single effect
   * has most of it, or nothing recorded does.
   */
  static Optional<String> sentence(Case incident) {
    EffectTimes times = incident.effects();
    Window window = incident.window();
    return Arrays.stream(Effect.values())
        .max(Comparator.comparingDouble(times::excessSeconds))
        .filter(effect -> effect != Effect.UNACCOUNTED)
        .filter(
            effect -> times.excessSeconds(effect) > Policy.MAJORITY * times.totalExcessSeconds())
        .map(
            effect ->
                "Most of it ("
                    + new Ratio(times.excessSeconds(effect) / times.totalExcessSeconds())
                    + ") is time "
                    + effect.title()
                    + times.sites(effect, window).entrySet().stream()
                        .max(Map.Entry.comparingByValue())
                        .map(site -> ", most for " + site.getKey())
                        .orElse("")
                    + ".");
  }
}
