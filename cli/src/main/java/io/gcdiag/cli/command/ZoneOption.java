package io.gcdiag.cli.command;

import java.time.ZoneId;
import java.time.ZoneOffset;
import picocli.CommandLine.Option;

/** As which clocks show the times. */
final class ZoneOption {

  @Option(
      names = "--time-zone",
      paramLabel = "ZONE",
      description =
          "time zone of the windows and charts shown, such as Europe/Berlin or +02:00 (default: UTC)")
  private ZoneId zone = ZoneOffset.UTC;

  ZoneId zone() {
    return zone;
  }
}
