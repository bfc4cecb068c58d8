package io.gcdiag.ingest.jfr;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Settings for the recorder that make it record what the rules ask for. */
public final class RecordingSettings {

  private static final String FILE = "gcdiag.jfc";

  private RecordingSettings() {}

  /** The settings as a {@code .jfc} file; how to use it stands in its head. */
  public static String text() {
    try (InputStream in = RecordingSettings.class.getResourceAsStream(FILE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
