package io.gcdiag.read.jfr;

import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.units.ResourceText;
import java.util.stream.Collectors;

/**
 * Settings for the recorder that make it record what the rules ask for: every event that is read.
 * The file names those that need a threshold, a period or a stack of their own, or are left out.
 */
public final class RecordingSettings {

  private static final String FILE = "gcdiag.jfc";
  private static final String END = "</configuration>";

  private RecordingSettings() {}

  /** The settings as a {@code .jfc} file; how to use it stands in its head. */
  public static String text() {
    String named = ResourceText.whole(RecordingSettings.class, FILE).stripTrailing();
    return new RecordingEvents(FILE, Redactor.hiding(), FrameBook.standard())
        .types().stream()
            .filter(type -> type.startsWith("jdk.") && !named.contains('"' + type + '"'))
            .map(RecordingSettings::enabled)
            .collect(Collectors.joining("", named.replace(END, ""), END + "\n"));
  }

  private static String enabled(String type) {
    return "  <event name=\"%s\">\n    <setting name=\"enabled\">true</setting>\n  </event>\n"
        .formatted(type);
  }
}
