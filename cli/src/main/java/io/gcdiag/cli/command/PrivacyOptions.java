package io.gcdiag.cli.command;

import io.gcdiag.AnalysisRequest;
import java.util.function.BooleanSupplier;

/** Which contents of the files are hidden in reports. */
final class PrivacyOptions extends OptionGroup {

  private final BooleanSupplier noRedact = command.flag("--no-redact");

  private final BooleanSupplier redactHosts = command.flag("--redact-hosts");

  PrivacyOptions(CommandModel command) {
    super(command);
  }

  /** The request with these options. */
  AnalysisRequest of(AnalysisRequest request) {
    if (noRedact.getAsBoolean() && redactHosts.getAsBoolean()) {
      throw CommandFailure.usage("--redact-hosts hides more and --no-redact nothing; give one");
    }
    return request.hiding(!noRedact.getAsBoolean(), redactHosts.getAsBoolean());
  }
}
