package io.gcdiag.cli.fleet;

import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.settings.Settings;
import io.gcdiag.cli.settings.Settings.Setting;
import io.gcdiag.cli.settings.Settings.SettingKey;
import io.gcdiag.cli.settings.Settings.SettingsException;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.JfrReader;
import io.gcdiag.read.bytes.Progress;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.units.Durations;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the settings file in the folder of a case says of the service, as {@code analyze FOLDER}
 * takes it.
 */
final class FolderSettings {

  private final Map<String, Setting> settings = new HashMap<>();

  private FolderSettings(List<Setting> all) {
    all.forEach(setting -> settings.put(setting.key().name(), setting));
  }

  /**
   * Reads the file, if there is one.
   *
   * @throws SettingsException if it cannot be used
   */
  static FolderSettings of(Path folder) {
    return new FolderSettings(Settings.read(List.of(folder), Settings.Folders.none()).all());
  }

  /** Whether hosts are to be hidden; also where the file cannot be used. */
  static boolean hidesHosts(Path folder) {
    try {
      return of(folder).has(SettingKey.REDACT_HOSTS);
    } catch (SettingsException e) {
      return true;
    }
  }

  AnalysisRequest applyTo(AnalysisRequest request) {
    if (settings.isEmpty()) {
      return request;
    }
    try {
      return request
          .knowing(facts())
          .with(
              new ReadOptions(meanings(), frames(), JfrReader.OWN, false, Progress.NONE)
                  .timedBy(values("request")))
          .hiding(request.redact(), request.redactHosts() || has(SettingKey.REDACT_HOSTS));
    } catch (IllegalArgumentException e) {
      throw new SettingsException(
          settings.values().iterator().next().file() + ": " + e.getMessage());
    }
  }

  private boolean has(String key) {
    return Optional.ofNullable(settings.get(key)).filter(Setting::isOn).isPresent();
  }

  private List<String> values(String key) {
    return Optional.ofNullable(settings.get(key)).map(Setting::values).orElse(List.of());
  }

  private OperatorFacts facts() {
    return new OperatorFacts(
        Optional.empty(),
        values(SettingKey.POOL_SIZE).stream().mapToInt(Integer::parseInt).findFirst(),
        values(SettingKey.HOLD).stream().map(Durations::parse).findFirst(),
        sourceOf(SettingKey.POOL_SIZE),
        sourceOf(SettingKey.HOLD));
  }

  private Source sourceOf(String key) {
    return Optional.ofNullable(settings.get(key))
        .map(setting -> Source.line(setting.file(), setting.line()))
        .orElse(OperatorFacts.SOURCE);
  }

  private Map<String, MetricMeaning> meanings() {
    Map<String, MetricMeaning> meanings = new HashMap<>();
    for (String pair : values("map")) {
      String[] parts = pair.split("=", 2);
      if (parts.length < 2) {
        throw new IllegalArgumentException("'" + pair + "' is not SERIES=MEANING");
      }
      meanings.put(parts[0], MetricMeaning.named(parts[1]));
    }
    return meanings;
  }

  private FrameBook frames() {
    return values("frames").stream()
        .findFirst()
        .map(file -> FrameBook.with(Path.of(file)))
        .orElseGet(FrameBook::standard);
  }
}
