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
          "windows and charts as clocks there show it: Europe/Berlin, +02:00; UTC if not given")
  private ZoneId zone = ZoneOffset.UTC;

  ZoneId zone() {
    return zone;
  }
}
