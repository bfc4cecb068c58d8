package io.gcdiag.cli.command;

import io.gcdiag.AnalysisRequest;
import picocli.CommandLine.Option;

/** What of the files' contents is hidden in what is shown. */
final class PrivacyOptions {

  @Option(
      names = "--no-redact",
      description = "do not hide passwords, tokens and other secrets (default: hidden)")
  private boolean noRedact;

  @Option(
      names = "--redact-hosts",
      description = "hide host names and addresses as well as secrets")
  private boolean redactHosts;

  /** The request with these wishes. */
  AnalysisRequest of(AnalysisRequest request) {
    if (noRedact && redactHosts) {
      throw CommandFailure.usage("--redact-hosts hides more and --no-redact nothing; give one");
    }
    return request.hiding(!noRedact, redactHosts);
  }
}
