package io.gcdiag.read.frames;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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

  private final Map<Section, String> names;

  /** A bit for each section; fast, because stacks are searched many times. */
  private final long sections;

  Meaning(Map<Section, String> names) {
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
    return new Meaning(all);
  }

  boolean is(Section section) {
    return (sections & bit(section)) != 0;
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
