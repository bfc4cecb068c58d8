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

  /** The JVM times calls of methods from JDK 25 on; older ones leave the event out. */
  private static final String TRACED = "jdk.MethodTrace";

  private static final String SETTING = "    <setting name=\"%s\">%s</setting>\n";

  private RecordingSettings() {}

  /**
   * The settings as a {@code .jfc} file; a comment at its beginning explains how to use it.
   *
   * @param requests whether to time the methods with which known servers begin a request, and to
   *     sample by CPU time, as the profile of JDK 25 does where that is switched on
   */
  public static String text(boolean requests) {
    String named = ResourceText.whole(RecordingSettings.class, FILE).stripTrailing();
    return new RecordingEvents(FILE, Redactor.hiding(), FrameBook.standard())
        .types().stream()
            .filter(type -> type.startsWith("jdk.") && !named.contains('"' + type + '"'))
            .map(type -> enabled(type, requests && type.equals(TRACED) ? filter() : ""))
            .collect(
                Collectors.joining(
                    "", named.replace(END, ""), (requests ? byCpuTime() : "") + END + "\n"));
  }

  private static String enabled(String type, String settings) {
    return "  <event name=\"%s\">\n%s%s  </event>\n"
        .formatted(type, SETTING.formatted("enabled", "true"), settings);
  }

  private static String byCpuTime() {
    return enabled(
        StandInEvent.CPU_TIME,
        SETTING.formatted("throttle", "10ms") + SETTING.formatted("stackTrace", "true"));
  }

  private static String filter() {
    String methods =
        RecordingEvents.entries().stream()
            .map(method -> method.replaceFirst("\\.(?=[^.]*$)", "::"))
            .collect(Collectors.joining(";"));
    return SETTING.formatted("filter", methods)
        + SETTING.formatted("threshold", "0 ms")
        + SETTING.formatted("stackTrace", "false");
  }
}
