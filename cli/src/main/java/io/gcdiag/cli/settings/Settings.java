package io.gcdiag.cli.settings;

import io.gcdiag.cli.manual.NearestNames;
import io.gcdiag.cli.settings.Settings.SettingsPlace;
import io.gcdiag.evidence.OperatorFacts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What is set in the files that there are: of each key the value of the nearest file. */
public final class Settings {

  private final Map<String, Setting> settings = new TreeMap<>();

  /**
   * Where to look beside the folders of an incident.
   *
   * @param working the working directory; absent to leave it out
   * @param user the folder with the user's own settings; absent if there is none
   */
  public record Folders(Optional<Path> working, Optional<Path> user) {

    public static Folders none() {
      return new Folders(Optional.empty(), Optional.empty());
    }

    /**
     * Those of a process.
     *
     * @param environment its environment variables; {@code XDG_CONFIG_HOME} stands in for {@code
     *     ~/.config} if it is absolute, as the XDG Base Directory Specification has it
     * @param home the folder of the user
     */
    public static Folders of(Map<String, String> environment, String home) {
      Path named = Path.of(environment.getOrDefault("XDG_CONFIG_HOME", ""));
      Path config = named.isAbsolute() ? named : Path.of(home, ".config");
      // Where nothing is known of the user, the JVM says "?".
      Optional<Path> user =
          config.isAbsolute() ? Optional.of(config.resolve("gcdiag")) : Optional.empty();
      return new Folders(Optional.of(Path.of("")), user);
    }
  }

  private Settings() {}

  /**
   * Reads the settings files.
   *
   * @param inputs the inputs; those that are folders may hold a settings file
   * @throws SettingsException if one of them cannot be used
   */
  public static Settings read(Collection<Path> inputs, Folders folders) {
    Settings all = new Settings();
    Set<Path> seen = new HashSet<>();
    List<Map<SettingKey, Setting>> nearest = new ArrayList<>();
    for (Path input : inputs) {
      if (Files.isDirectory(input)) {
        nearest.addAll(read(input, SettingsPlace.INCIDENT, seen));
      }
    }
    nearest.forEach(all::join);
    folders.working().ifPresent(f -> read(f, SettingsPlace.WORKING_FOLDER, seen).forEach(all::add));
    folders.user().ifPresent(f -> read(f, SettingsPlace.USER, seen).forEach(all::add));
    all.hideAsAsked();
    return all;
  }

  /** The file in a folder; one that has been read at a nearer place is not read again. */
  private static List<Map<SettingKey, Setting>> read(
      Path folder, SettingsPlace place, Set<Path> seen) {
    Path file = folder.resolve(OperatorFacts.SETTINGS_FILE);
    if (!Files.isRegularFile(file)) {
      return List.of();
    }
    try {
      boolean outside = !file.toRealPath().startsWith(folder.toRealPath());
      if (place == SettingsPlace.INCIDENT && outside) {
        throw new SettingsException(file + " is a link that leads out of the incident's folder");
      }
      return seen.add(file.toRealPath()) ? List.of(SettingsFile.read(file, place)) : List.of();
    } catch (IOException e) {
      throw new SettingsException(file + " cannot be read", e);
    }
  }

  /** Takes what is set in one of several folders that are equally near. */
  private void join(Map<SettingKey, Setting> file) {
    for (Setting setting : file.values()) {
      Setting other = settings.get(setting.key().name());
      if (other != null && !isSame(setting, other)) {
        throw new SettingsException(
            ("%s and %s set %s to different values; give %s on the command line, and"
                    + " remove one of the lines")
                .formatted(
                    other.where(),
                    setting.where(),
                    setting.key().name(),
                    setting.key().options().get(0)));
      }
      keep(setting);
    }
  }

  /** Two runs may each come with a copy of one file. */
  private static boolean isSame(Setting one, Setting other) {
    if (one.values().equals(other.values())) {
      return true;
    }
    try {
      return one.key().kind() == SettingKey.Kind.FILE
          && Files.mismatch(Path.of(one.values().get(0)), Path.of(other.values().get(0))) < 0;
    } catch (IOException e) {
      return false;
    }
  }

  private void add(Map<SettingKey, Setting> file) {
    file.values().forEach(this::keep);
  }

  /** A switch that hides more is kept wherever it is on. */
  private void keep(Setting setting) {
    boolean hides = setting.key().name().equals(SettingKey.REDACT_HOSTS) && setting.isOn();
    if (hides && !isOn(SettingKey.REDACT_HOSTS)) {
      settings.put(setting.key().name(), setting);
    } else {
      settings.putIfAbsent(setting.key().name(), setting);
    }
  }

  /** What one file hides no other one shows. */
  private void hideAsAsked() {
    if (isOn(SettingKey.REDACT_HOSTS)) {
      settings.remove(SettingKey.NO_REDACT);
    }
  }

  private boolean isOn(String key) {
    Setting setting = settings.get(key);
    return setting != null && setting.isOn();
  }

  /** All of them by the names of their keys. */
  public List<Setting> all() {
    return List.copyOf(settings.values());
  }

  /**
   * A text of lines {@code key = value}. A line that begins with {@code #} is a comment, and a
   * backslash is a character like any other.
   */
  private static final class SettingsFile {

    /** A hundred times a usual file. */
    private static final int LARGEST = 64 * 1024;

    private final Path path;
    private final SettingsPlace place;
    private final Map<SettingKey, Setting> settings = new LinkedHashMap<>();

    private SettingsFile(Path path, SettingsPlace place) {
      this.path = path;
      this.place = place;
    }

    /**
     * Reads a file.
     *
     * @throws SettingsException if it cannot be read, or a line of it may not stand there
     */
    static Map<SettingKey, Setting> read(Path path, SettingsPlace place) {
      SettingsFile file = new SettingsFile(path, place);
      int line = 0;
      for (String text : file.text().split("\n", -1)) {
        line++;
        String trimmed = text.strip();
        if (!trimmed.isEmpty() && !trimmed.startsWith("#")) {
          file.take(trimmed, line);
        }
      }
      return file.settings;
    }

    private String text() {
      try (InputStream in = Files.newInputStream(path)) {
        byte[] bytes = in.readNBytes(LARGEST + 1);
        if (bytes.length > LARGEST) {
          throw new SettingsException(path + " is too large for a settings file");
        }
        String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        // Editors of Windows put a mark before UTF-8.
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
      } catch (CharacterCodingException e) {
        throw new SettingsException(path + " is not a text in UTF-8", e);
      } catch (IOException e) {
        throw new SettingsException(path + " cannot be read", e);
      }
    }

    private void take(String text, int line) {
      int equals = text.indexOf('=');
      if (equals < 0) {
        throw wrong(line, "'" + text + "' has no '='; write it like pool-size = 10");
      }
      String name = text.substring(0, equals).strip();
      String value = text.substring(equals + 1).strip();
      SettingKey key = SettingKey.named(name).orElseThrow(() -> unknown(line, name));
      if (!key.mayStandIn(place)) {
        throw wrong(
            line,
            "%s may not stand in a settings file of %s; give %s on the command line"
                .formatted(name, place.label(), key.options().get(0)));
      }
      if (value.isEmpty()) {
        throw wrong(line, name + " has no value");
      }
      List<String> values = new ArrayList<>();
      int first = line;
      Setting before = settings.get(key);
      if (before != null && key.kind() == SettingKey.Kind.LIST) {
        values.addAll(before.values());
        first = before.line();
      } else if (before != null) {
        throw wrong(line, name + " stands in line " + before.line() + " already");
      }
      values.add(checked(key, value, line));
      settings.put(key, new Setting(key, values, path.toString(), first));
    }

    private String checked(SettingKey key, String value, int line) {
      return switch (key.kind()) {
        case TEXT, LIST -> value;
        case SWITCH -> {
          if (!value.equals("true") && !value.equals("false")) {
            throw wrong(line, "'" + value + "' is neither true nor false for " + key.name());
          }
          yield value;
        }
        case FILE -> file(key, value, line).toString();
      };
    }

    private Path file(SettingKey key, String value, int line) {
      Path folder = path.toAbsolutePath().getParent();
      try {
        Path named = folder.resolve(value);
        if (place == SettingsPlace.INCIDENT
            && Files.exists(named)
            && !named.toRealPath().startsWith(folder.toRealPath())) {
          throw wrong(line, key.name() + " may name only a file of the incident's folder");
        }
        if (!Files.isRegularFile(named)) {
          throw wrong(line, "there is no file " + named + " for " + key.name());
        }
        return named;
      } catch (InvalidPathException | IOException e) {
        throw wrong(line, "'" + value + "' is not the name of a file");
      }
    }

    private SettingsException unknown(int line, String name) {
      List<String> near = NearestNames.of(name, SettingKey.names());
      return wrong(
          line,
          "unknown key '"
              + name
              + "'; "
              + (near.isEmpty() ? "" : "did you mean " + String.join(" or ", near) + "? ")
              + "accepted are "
              + String.join(", ", SettingKey.names()));
    }

    private SettingsException wrong(int line, String message) {
      return new SettingsException(path + ", line " + line + ": " + message);
    }
  }

  /** Where a settings file lies, the nearest and least trusted place first. */
  public enum SettingsPlace {

    /** In a folder that is an input: it may come from anywhere. */
    INCIDENT("the folder of an incident"),

    WORKING_FOLDER("the working directory"),

    /** Below {@code ~/.config}: the user's own. */
    USER("the configuration folder of the user");

    private final String label;

    SettingsPlace(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  /**
   * A key with its value, as it stands in a file.
   *
   * @param values its value, for a list all of them in order; a file's path is whole
   * @param line the line it stands in, of a list the first one
   */
  public record Setting(SettingKey key, List<String> values, String file, int line) {

    public String where() {
      return file + ", line " + line;
    }

    public String text() {
      return key.name() + " = " + String.join(", ", values);
    }

    public boolean isOn() {
      return values.equals(List.of(Boolean.TRUE.toString()));
    }
  }

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

    public static final String NO_REDACT = "no-redact";

    /** Gives way to the ending of an output file. */
    public static final String FORMAT = "format";

    /** The size of the pool, whose option has a shorter name in one command. */
    public static final String POOL_SIZE = "pool-size";

    /** How long a connection is held. */
    public static final String HOLD = "hold";

    /**
     * All keys in the order of their names. Files to write are none: no file may make another one
     * be written. What a load test is held to is no matter of the incident's folder.
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

  /** A settings file that cannot be used; the message names file, line and what is accepted. */
  public static final class SettingsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public SettingsException(String message) {
      super(message);
    }

    /** The same, for a reason. */
    SettingsException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
