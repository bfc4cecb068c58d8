package io.gcdiag.evidence.threads;

import java.util.List;

/**
 * Parts of a call to a remote host that its stack tells apart, by a name such as {@code
 * HttpURLConnection (connecting)}. Establishing the connection and DNS lookup are in no event, only
 * in samples and thread dumps. What a new connection is asked next (log-in, TLS) is.
 */
public final class CallPart {

  /** The name of a call that no known client makes. */
  public static final String SOCKET = "socket";

  /** A connection is opened that its user closes after use. */
  public static final String OPENING = "opening";

  /** A pool opens a connection for the thread that wants to borrow one. */
  public static final String OPENING_IN_POOL = "opening for its pool";

  private static final String BEGIN = " (";
  private static final String END = ")";

  /**
   * The parts without events, as {@code frames.txt} names them; a client's own name may contain
   * parentheses, too.
   */
  private static final List<String> UNRECORDED = List.of("connecting", "DNS lookup");

  private CallPart() {}

  /**
   * The name of a wait in such a part.
   *
   * @param client the client, driver or socket that calls
   */
  public static String name(String client, String part) {
    return client + BEGIN + part + END;
  }

  /** Whether a name is that of a wait that no event records. */
  public static boolean isUnrecorded(String name) {
    return UNRECORDED.stream().anyMatch(part -> is(name, part));
  }

  /** Whether a name is that of a wait for a new connection. */
  public static boolean isOpening(String name) {
    return is(name, OPENING) || isOpeningInPool(name);
  }

  /** Whether a pool opens the connection. */
  public static boolean isOpeningInPool(String name) {
    return is(name, OPENING_IN_POOL);
  }

  private static boolean is(String name, String part) {
    return name.endsWith(BEGIN + part + END);
  }

  /** The client alone. */
  public static String client(String name) {
    return isUnrecorded(name) || isOpening(name)
        ? name.substring(0, name.lastIndexOf(BEGIN))
        : name;
  }

  /** A name as it stands inside parentheses: {@code HttpURLConnection, connecting}. */
  static String inside(String name) {
    return isUnrecorded(name) || isOpening(name)
        ? client(name) + ", " + name.substring(client(name).length() + 2, name.length() - 1)
        : name;
  }
}
