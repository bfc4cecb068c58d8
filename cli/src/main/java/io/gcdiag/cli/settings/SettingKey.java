package io.gcdiag.cli.settings;

import io.gcdiag.cli.settings.Settings.SettingsPlace;
import java.util.List;
import java.util.Optional;

/**
 * What can be set in a file: options whose value is the same from one incident to the next.
 *
 * @param name the key, the long name of an option
 * @param kind what its value is
 * @param trust the least trusted place in which it may stand
 * @param options the options that it gives a value, in the commands that have one of them
 */
public record SettingKey(String name, Kind kind, SettingsPlace trust, List<String> options) {

  /** What a value is. */
  public enum Kind {
    /** One value. */
    TEXT,
    /** One of several values, each in a line of its own. */
    LIST,
    /** {@code true} or {@code false}. */
    SWITCH,
    /** A file, relative to the folder of the settings. */
    FILE
  }

  /** Hides more; it counts whichever file it stands in. */
  public static final String REDACT_HOSTS = "redact-hosts";

  /** Hides nothing. */
  public static final String NO_REDACT = "no-redact";

  /** Gives way to the ending of an output file. */
  public static final String FORMAT = "format";

  /** The size of the pool, whose option has a shorter name in one command. */
  public static final String POOL_SIZE = "pool-size";

  /** How long a connection is held. */
  public static final String HOLD = "hold";

  /**
   * All keys in the order of their names. Files to write are none: no file may make another one be
   * written. What a load test is held to is no matter of the incident's folder.
   */
  public static final List<SettingKey> ALL =
      List.of(
          of("ascii", Kind.SWITCH, SettingsPlace.INCIDENT),
          of("color", Kind.TEXT, SettingsPlace.INCIDENT),
          of("for", Kind.TEXT, SettingsPlace.WORKING_FOLDER),
          of(FORMAT, Kind.TEXT, SettingsPlace.INCIDENT),
          of("frames", Kind.FILE, SettingsPlace.INCIDENT),
          of(HOLD, Kind.TEXT, SettingsPlace.INCIDENT),
          of("map", Kind.LIST, SettingsPlace.INCIDENT),
          of("max-size", Kind.TEXT, SettingsPlace.INCIDENT),
          of(NO_REDACT, Kind.SWITCH, SettingsPlace.USER),
          of("p50", Kind.TEXT, SettingsPlace.WORKING_FOLDER),
          of("p90", Kind.TEXT, SettingsPlace.WORKING_FOLDER),
          of("p95", Kind.TEXT, SettingsPlace.WORKING_FOLDER),
          of("p99", Kind.TEXT, SettingsPlace.WORKING_FOLDER),
          new SettingKey(
              POOL_SIZE, Kind.TEXT, SettingsPlace.INCIDENT, List.of("--pool-size", "--pool")),
          of("rate", Kind.TEXT, SettingsPlace.WORKING_FOLDER),
          of(REDACT_HOSTS, Kind.SWITCH, SettingsPlace.INCIDENT),
          of("request", Kind.LIST, SettingsPlace.INCIDENT),
          of("success", Kind.TEXT, SettingsPlace.WORKING_FOLDER),
          of("target-wait", Kind.TEXT, SettingsPlace.WORKING_FOLDER),
          of("time-zone", Kind.TEXT, SettingsPlace.INCIDENT));

  private static SettingKey of(String name, Kind kind, SettingsPlace trust) {
    return new SettingKey(name, kind, trust, List.of("--" + name));
  }

  static Optional<SettingKey> named(String name) {
    return ALL.stream().filter(key -> key.name().equals(name)).findFirst();
  }

  static List<String> names() {
    return ALL.stream().map(SettingKey::name).toList();
  }

  boolean mayStandIn(SettingsPlace place) {
    return place.compareTo(trust) >= 0;
  }
}
