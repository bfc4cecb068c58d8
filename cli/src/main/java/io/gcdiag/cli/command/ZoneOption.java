package io.gcdiag.cli.command;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.Supplier;

/** The time zone of the times shown. */
final class ZoneOption extends OptionGroup {

  private final Supplier<ZoneId> zone =
      command.value("--time-zone", "ZONE", ZoneId.class, ZoneOffset.UTC);

  ZoneOption(CommandModel command) {
    super(command);
  }

  ZoneId zone() {
    return zone.get();
  }
}
