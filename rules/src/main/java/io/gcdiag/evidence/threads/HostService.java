package io.gcdiag.evidence.threads;

/** What the host itself has to answer: names of hosts and random numbers. */
public final class HostService {

  /** The device that random numbers are read from. */
  public static final String RANDOM = "/dev/random";

  private HostService() {}

  /**
   * Whether a wait is one for random numbers: by the path that an event has, or by the name that
   * {@code frames.txt} gives such a stack.
   */
  public static boolean isRandom(String name) {
    return name.contains(RANDOM);
  }

  /** Whether it is one for the address of a host, alone or as part of a client's call. */
  public static boolean isLookup(String name) {
    return name.contains("DNS");
  }
}
