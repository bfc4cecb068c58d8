package io.gcdiag.accounts.heap;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.profile.StackProfile;
import io.gcdiag.evidence.profile.StackProfile.Kind;
import io.gcdiag.evidence.profile.StackProfile.Node;
import io.gcdiag.units.Ratio;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** How much of what an incident allocates are exceptions and the stacks that they keep. */
public final class AllocatedExceptions {

  /** By convention all of them end so; a class below is what was allocated in a profile. */
  private static final Pattern EXCEPTION = Pattern.compile("new .*(?:Exception|Error|Throwable)");

  /** Where HotSpot allocates the stack that an exception keeps. */
  private static final Pattern CREATION =
      Pattern.compile("java\\.lang\\.Throwable\\.(?:<init>|fillInStackTrace)");

  private AllocatedExceptions() {}

  /** By sampled allocation; absent where none was recorded in the window. */
  public static Optional<Ratio> share(Incident incident) {
    double all = 0;
    double exceptions = 0;
    for (StackProfile profile : incident.timeline().samples(StackProfile.class)) {
      if (profile.kind() == Kind.ALLOCATION) {
        Map<Integer, Long> bytes = profile.within(incident.window());
        boolean[] inside = inside(profile.nodes());
        for (Map.Entry<Integer, Long> entry : bytes.entrySet()) {
          all += entry.getValue();
          exceptions += inside[entry.getKey()] ? entry.getValue() : 0;
        }
      }
    }
    return all == 0 ? Optional.empty() : Optional.of(new Ratio(exceptions / all));
  }

  /** By the number of a frame; a caller stands before what it calls. */
  private static boolean[] inside(List<Node> nodes) {
    boolean[] inside = new boolean[nodes.size()];
    for (int i = 0; i < inside.length; i++) {
      Node node = nodes.get(i);
      inside[i] =
          node.parent() != StackProfile.NONE && inside[node.parent()]
              || CREATION.matcher(node.frame()).matches()
              || EXCEPTION.matcher(node.frame()).matches();
    }
    return inside;
  }
}
