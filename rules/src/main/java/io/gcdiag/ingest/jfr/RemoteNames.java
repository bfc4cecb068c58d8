package io.gcdiag.ingest.jfr;

import io.gcdiag.ingest.jfr.event.Event;
import java.util.Optional;
import java.util.OptionalLong;

/** Names of remote hosts, as {@code host:port}. */
final class RemoteNames {

  /** The one before: a service mostly calls the same hosts again and again. */
  private String latestHost = "";

  private OptionalLong latestPort = OptionalLong.empty();
  private String latest = "";

  /** The other side of a socket. */
  String of(Event event) {
    Optional<String> name = event.text("host");
    Optional<String> given =
        name.isPresent() && !name.get().isEmpty() ? name : event.text("address");
    String host = given.orElse("unknown host");
    OptionalLong port = event.number("port");
    if (!latestHost.equals(host) || !latestPort.equals(port)) {
      latestHost = host;
      latestPort = port;
      latest = port.isPresent() ? host + ":" + port.getAsLong() : host;
    }
    return latest;
  }
}
