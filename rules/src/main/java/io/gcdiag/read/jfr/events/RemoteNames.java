package io.gcdiag.read.jfr.events;

import io.gcdiag.read.jfr.reader.Event;
import java.util.Optional;

/** Names of remote hosts, as {@code host:port}. */
final class RemoteNames {

  private static final long NO_PORT = Long.MIN_VALUE;

  /** The one before: a service mostly calls the same hosts again and again. */
  private String latestHost = "";

  private long latestPort = NO_PORT;
  private Optional<String> latest = Optional.of("");

  /** The other side of a socket. */
  Optional<String> of(Event event) {
    Optional<String> name = event.text("host");
    Optional<String> given =
        name.isPresent() && !name.get().isEmpty() ? name : event.text("address");
    String host = given.orElse("unknown host");
    long port = event.numberOr("port", NO_PORT);
    boolean same = latestHost.equals(host) && latestPort == port;
    // The same text in another object is found out only once.
    latestHost = host;
    latestPort = port;
    if (!same) {
      latest = Optional.of(port == NO_PORT ? host : host + ":" + port);
    }
    return latest;
  }
}
