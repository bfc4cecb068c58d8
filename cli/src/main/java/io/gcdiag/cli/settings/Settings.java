package io.gcdiag.cli.settings;

import io.gcdiag.evidence.OperatorFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
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

    /** Nowhere. */
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
}
