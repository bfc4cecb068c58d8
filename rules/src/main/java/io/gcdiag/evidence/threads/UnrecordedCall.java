package io.gcdiag.evidence.threads;

import java.util.List;

/**
 * Parts of a call to a remote host that no event of a recording shows: being connected, and looking
 * up the host. Only stacks show them, in samples and in thread dumps, by a name that says so:
 * {@code HttpURLConnection (connecting)}.
 */
public final class UnrecordedCall {

  private static final String BEGIN = " (";
  private static final String END = ")";

  /** The parts, as {@code frames.txt} names them: a user's own client may have brackets. */
  private static final List<String> PARTS = List.of("connecting", "DNS lookup");

  private UnrecordedCall() {}

  /**
   * The name of a wait in such a part.
   *
   * @param client the client, driver or socket that calls
   * @param part what it does
   */
  public static String name(String client, String part) {
    return client + BEGIN + part + END;
  }

  /** Whether a wait for an answer is one in such a part. */
  public static boolean is(String name) {
    return PARTS.stream().anyMatch(part -> name.endsWith(BEGIN + part + END));
  }
}
