package io.gcdiag.evidence.threads;

/** Services of the host itself: name lookup and random numbers. */
public final class HostService {

  /** The device that random numbers are read from. */
  public static final String RANDOM = "/dev/random";

  private HostService() {}

  /**
   * Whether a wait is for random numbers, by the path in the event or by the name that {@code
   * frames.txt} gives such a stack.
   */
  public static boolean isRandom(String name) {
    return name.contains(RANDOM);
  }

  /** Whether a wait is for a DNS lookup, alone or as part of a client's call. */
  public static boolean isLookup(String name) {
    return name.contains("DNS");
  }
}
