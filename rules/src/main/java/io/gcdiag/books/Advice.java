package io.gcdiag.books;

import java.util.List;
import java.util.Optional;

/**
 * Where a suspect is, and what to change.
 *
 * @param title title of the kind that was found; empty if unknown
 * @param place where it is; empty if the files do not show it
 * @param edits exact changes; empty if there are none
 */
public record Advice(Optional<String> title, Optional<Place> place, List<Edit> edits) {

  public static final Advice NONE = new Advice(Optional.empty(), Optional.empty(), List.of());

  public Advice {
    edits = List.copyOf(edits);
  }
}
