package io.gcdiag.cli.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.settings.Settings.SettingsException;
import io.gcdiag.evidence.MetricMeaning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderSettingsTest {

  @TempDir Path folder;

  private AnalysisRequest request(String settings) throws IOException {
    Files.writeString(folder.resolve("gcdiag.properties"), settings);
    return FolderSettings.of(folder).applyTo(AnalysisRequest.of());
  }

  @Test
  void aCaseIsReadAsItsFolderSays() throws IOException {
    AnalysisRequest request =
        request("pool-size = 10\nhold = 4ms\nmap = waiting=pool-pending\nredact-hosts = true\n");
    assertEquals(OptionalInt.of(10), request.facts().poolSize());
    assertEquals(Optional.of(Duration.ofMillis(4)), request.facts().hold());
    assertEquals(MetricMeaning.named("pool-pending"), request.reading().meanings().get("waiting"));
    assertTrue(request.redact());
    assertTrue(request.redactHosts());
  }

  @Test
  void withoutAFileNothingChanges() {
    AnalysisRequest request = AnalysisRequest.of();
    assertSame(request, FolderSettings.of(folder).applyTo(request));
  }

  @Test
  void aWrongValueIsNamedWithItsFile() {
    SettingsException wrong =
        assertThrows(SettingsException.class, () -> request("pool-size = ten\n"));
    assertTrue(wrong.getMessage().contains("gcdiag.properties"), wrong::getMessage);
  }
}
