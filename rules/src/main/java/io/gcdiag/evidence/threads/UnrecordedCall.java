package io.gcdiag.evidence.threads;

import java.util.List;

/**
 * Phases of a call to a remote host that no event records: establishing the connection, and DNS
 * lookup. Only stacks in samples and thread dumps show them, by a name such as {@code
 * HttpURLConnection (connecting)}.
 */
public final class UnrecordedCall {

  /** The name of a call that no known client makes. */
  public static final String SOCKET = "socket";

  private static final String BEGIN = " (";
  private static final String END = ")";

  /**
   * The phases, as {@code frames.txt} names them; a client's own name may contain parentheses, too.
   */
  private static final List<String> PARTS = List.of("connecting", "DNS lookup");

  private UnrecordedCall() {}

  /**
   * The name of a wait in such a phase.
   *
   * @param client the client, driver or socket that calls
   * @param part the phase
   */
  public static String name(String client, String part) {
    return client + BEGIN + part + END;
  }

  /** Whether a name is that of a wait in such a phase. */
  public static boolean is(String name) {
    return PARTS.stream().anyMatch(part -> name.endsWith(BEGIN + part + END));
  }
}
