package io.gcdiag.cli.report;

import io.gcdiag.evidence.time.Window;
import java.time.Instant;

/**
 * The place in a chart that a figure is about.
 *
 * @param from where it begins
 * @param to where it ends; the same as {@code from} for an instant
 * @param peak whether it is about the highest value in between, and not about all of it
 */
public record Spot(Instant from, Instant to, boolean peak) {

  static Spot all(Window window) {
    return new Spot(window.from(), window.to(), false);
  }

  /** The highest value in a window. */
  static Spot highest(Window window) {
    return new Spot(window.from(), window.to(), true);
  }

  /** An event, marked where it began. */
  static Spot event(Window time) {
    return new Spot(time.from(), time.from(), false);
  }
}
