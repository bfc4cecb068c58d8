package io.gcdiag.fleet;

import java.util.Optional;

/**
 * Where a case comes from.
 *
 * @param service the name of the service
 * @param host the machine or pod that it ran on
 * @param build the version of the service
 */
public record CaseOrigin(Optional<String> service, Optional<String> host, Optional<String> build) {

  /** Nothing is known. */
  public static final CaseOrigin UNKNOWN =
      new CaseOrigin(Optional.empty(), Optional.empty(), Optional.empty());

  /** The same, with what is unknown taken from another one. */
  public CaseOrigin or(CaseOrigin other) {
    return new CaseOrigin(service.or(other::service), host.or(other::host), build.or(other::build));
  }
}
