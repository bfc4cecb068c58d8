package io.gcdiag.ingest.gclog.lines;

import io.gcdiag.evidence.pauses.PauseType;
import io.gcdiag.ingest.text.Line;
import java.util.HashMap;
import java.util.Map;

/** The names of pauses that a log has had so far: it has few, and repeats them all along. */
public final class PauseNames {

  /** Far more than any collector has kinds and causes of pauses. */
  private static final int MOST = 1_000;

  /** G1 has some causes each for collections of four sorts, and the two pauses of a marking. */
  private static final int RECENT = 16;

  private final Map<String, PauseType> known = new HashMap<>();
  private final Map<PauseType, PauseType> types = new HashMap<>();
  private final String[] names = new String[RECENT];
  private final PauseType[] recent = new PauseType[RECENT];
  private int next;

  /** What the part of the line names; the same object each time. */
  public PauseType of(Line line, int from, int to) {
    for (int i = 0; i < RECENT; i++) {
      String name = names[i];
      if (name != null && name.length() == to - from && line.startsWith(name, from)) {
        return recent[i];
      }
    }
    String name = line.substring(from, to);
    PauseType type = of(name);
    names[next] = name;
    recent[next] = type;
    next = (next + 1) % RECENT;
    return type;
  }

  private PauseType of(String text) {
    PauseType type = known.get(text);
    if (type == null) {
      PauseType named = PauseName.of(text).type();
      if (known.size() >= MOST) {
        return named;
      }
      // Names differ in what does not count, such as blanks.
      type = types.computeIfAbsent(named, same -> same);
      known.put(text, type);
    }
    return type;
  }
}
