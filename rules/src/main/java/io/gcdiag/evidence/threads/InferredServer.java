package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.time.Sample;
import java.time.Instant;

/**
 * Threads of a server that no rule knows, taken to serve requests because as many of them wait in
 * one method as the load test has in progress.
 *
 * @param at when the first dump shows it
 * @param threads their name, with {@code *} for its numbers; empty for virtual threads without one
 * @param method the method of the service
 */
public record InferredServer(Instant at, String threads, String method) implements Sample {

  private static final String POOL = "own pool in ";

  /** What the queue or the permits are called that requests wait for in that method. */
  public static String pool(String method) {
    return POOL + method;
  }

  /** Whether a pool is one of these: what it hands out is known by its use only. */
  public static boolean isPool(String name) {
    return name.startsWith(POOL);
  }
}
