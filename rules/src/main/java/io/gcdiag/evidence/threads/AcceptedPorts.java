package io.gcdiag.evidence.threads;

import java.util.Collection;

/**
 * Distinguishes connections that the service accepted from those that it opened, by the remote
 * port: a client gets any ephemeral port of its system, while a service listens on one port.
 */
public final class AcceptedPorts {

  /**
   * Linux takes ports for outgoing connections from here on (net.ipv4.ip_local_port_range), other
   * systems from 49152 on (RFC 6335).
   */
  private static final int FIRST_EPHEMERAL_PORT = 32_768;

  private static final int DIGITS = 5;

  /** Instances of one service on such ports are fewer than this. */
  private static final int FEWEST_CALLERS = 8;

  private AcceptedPorts() {}

  /** Whether an address, given as {@code host:port}, has an ephemeral port. */
  public static boolean isEphemeral(String address) {
    String port = address.substring(address.lastIndexOf(':') + 1);
    return port.length() == DIGITS
        && port.length() < address.length()
        && port.chars().allMatch(Character::isDigit)
        && Integer.parseInt(port) >= FIRST_EPHEMERAL_PORT;
  }

  public static String host(String address) {
    return address.substring(0, Math.max(0, address.lastIndexOf(':')));
  }

  /**
   * Whether this many addresses of one host, all with ephemeral ports, must be those of clients.
   */
  public static boolean areCallers(Collection<String> addresses) {
    return addresses.stream().distinct().count() >= FEWEST_CALLERS;
  }
}
