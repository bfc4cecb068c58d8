package io.gcdiag.read.jfr;

import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.units.ResourceText;
import java.util.stream.Collectors;

/**
 * Recorder settings that enable every event that the rules read. A resource file lists the events
 * that need a threshold, a period or a stack setting, or are left out.
 */
public final class RecordingSettings {

  private static final String FILE = "gcdiag.jfc";
  private static final String END = "</configuration>";

  private RecordingSettings() {}

  /** The settings as a {@code .jfc} file; a comment at its beginning explains how to use it. */
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
