package io.gcdiag.read.frames;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The sections that a frame stands in, and its name in each. */
final class Meaning {

  /** The JDK, what belongs to no caller, and pools, clients, servers and libraries. */
  private static final long NOT_THE_SERVICES =
      bits(
          EnumSet.of(
              Section.JDK,
              Section.PLUMBING,
              Section.LIBRARY,
              Section.CLIENT,
              Section.SERVICE_CLIENT,
              Section.ASYNC_CLIENT,
              Section.SERVER,
              Section.LIMITER,
              Section.RETRY,
              Section.DATABASE_LOCK));

  /** What the words of a class and a method say of it, whether a line knows it or not. */
  enum Word {
    /** A class that is named after requests, and a method that handles one. */
    HANDLES(
        ".*\\.\\w*(?:Http|HTTP|Servlet|Request|Rpc|RPC|Server|Exchange|Route|Dispatcher)\\w*(?:\\$\\w+)*"
            + "\\.(?:handle|serv|dispatch|process|invoke|do(?:Handle|Service|Dispatch|Filter)"
            + "|accept|onRequest|channelRead)\\w*"),
    WRITES(".*\\.(?:\\w*[wW]rite|flush)\\w*"),
    /** What a client calls back is no request of the service's own callers. */
    OF_CLIENT(".*[Cc]lient.*");

    private final Pattern pattern;

    Word(String pattern) {
      this.pattern = Pattern.compile(pattern);
    }
  }

  private final String frame;

  private final Map<Section, String> names;

  /**
   * A bit for each word of the frame, and one that they are known: a frame is in many stacks, and
   * matching it once for all is a tenth of what reading a recording takes.
   */
  private volatile int words;

  /** A bit for each section; fast, because stacks are searched many times. */
  private final long sections;

  Meaning(String frame, Map<Section, String> names) {
    this.frame = frame;
    this.names = names;
    this.sections = bits(names.keySet());
  }

  private static long bits(Set<Section> sections) {
    long bits = 0;
    for (Section section : sections) {
      bits |= bit(section);
    }
    return bits;
  }

  private static long bit(Section section) {
    return 1L << section.ordinal();
  }

  Meaning and(Section section, String name) {
    Map<Section, String> all = new EnumMap<>(Section.class);
    all.putAll(names);
    all.put(section, name);
    return new Meaning(frame, all);
  }

  boolean is(Section section) {
    return (sections & bit(section)) != 0;
  }

  boolean says(Word word) {
    int known = words;
    if (known == 0) {
      known = 1 << Word.values().length;
      for (Word each : Word.values()) {
        known |= each.pattern.matcher(frame).matches() ? 1 << each.ordinal() : 0;
      }
      words = known;
    }
    return (known & 1 << word.ordinal()) != 0;
  }

  /** Whether the frame is the service's own code: of nothing that is known to be another's. */
  boolean isServices() {
    return (sections & NOT_THE_SERVICES) == 0;
  }

  /** The name in a section, which may be empty; or nothing. */
  Optional<String> name(Section section) {
    return Optional.ofNullable(names.get(section));
  }
}
