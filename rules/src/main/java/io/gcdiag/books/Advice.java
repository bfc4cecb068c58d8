package io.gcdiag.books;

import java.util.List;
import java.util.Optional;

/**
 * The location of a suspect and what to change.
 *
 * @param title its title if the kind that was found is known; else empty
 * @param place where it is; empty if the files do not show it
 * @param edits what to change, exact; empty if nothing exact can be said
 */
public record Advice(Optional<String> title, Optional<Place> place, List<Edit> edits) {

  /** Nothing is known. */
  public static final Advice NONE = new Advice(Optional.empty(), Optional.empty(), List.of());

  /** Copies the edits. */
  public Advice {
    edits = List.copyOf(edits);
  }
}
