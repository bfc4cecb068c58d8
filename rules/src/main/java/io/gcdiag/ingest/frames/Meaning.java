package io.gcdiag.ingest.frames;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The sections that a frame stands in, and its name in each. */
final class Meaning {

  private final Map<Section, String> names;

  /** A bit for each section, by its place in {@link Section}: stacks are gone over many times. */
  private final long sections;

  Meaning(Map<Section, String> names) {
    this.names = names;
    this.sections = bits(names.keySet());
  }

  /** A bit for each of some sections. */
  static long bits(Set<Section> sections) {
    long bits = 0;
    for (Section section : sections) {
      bits |= bit(section);
    }
    return bits;
  }

  private static long bit(Section section) {
    return 1L << section.ordinal();
  }

  boolean is(Section section) {
    return (sections & bit(section)) != 0;
  }

  /** Whether it stands in none of the sections that have a bit. */
  boolean isInNone(long bits) {
    return (sections & bits) == 0;
  }

  /** The name in a section, which may be empty; or nothing. */
  Optional<String> name(Section section) {
    return Optional.ofNullable(names.get(section));
  }
}
