package io.gcdiag.evidence.threads;

import java.util.Collection;

/**
 * Tells connections that the service accepted from those that it opened, by their other ends: who
 * opens a connection takes any port that the system gives, and a service listens on one.
 */
public final class AcceptedPorts {

  /**
   * Linux takes ports from here on for connections that are opened (net.ipv4.ip_local_port_range),
   * other systems from 49152 on (RFC 6335).
   */
  private static final int FIRST_EPHEMERAL_PORT = 32_768;

  private static final int DIGITS = 5;

  /** Instances of one service that listen on such ports are fewer. */
  private static final int FEWEST_CALLERS = 8;

  private AcceptedPorts() {}

  /** Whether an address, as {@code host:port}, is at a port that systems give by themselves. */
  public static boolean isEphemeral(String address) {
    String port = address.substring(address.lastIndexOf(':') + 1);
    return port.length() == DIGITS
        && port.length() < address.length()
        && port.chars().allMatch(Character::isDigit)
        && Integer.parseInt(port) >= FIRST_EPHEMERAL_PORT;
  }

  /** Its host. */
  public static String host(String address) {
    return address.substring(0, Math.max(0, address.lastIndexOf(':')));
  }

  /** Whether so many addresses of one host, at such ports, are of callers. */
  public static boolean areCallers(Collection<String> addresses) {
    return addresses.stream().distinct().count() >= FEWEST_CALLERS;
  }
}
