package io.gcdiag.read.frames;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The rules for frames of the JDK alone: with them no server, pool, client or library is known. */
public final class JdkFrames {

  private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

  private static final String SERVLETS = "javax.servlet.";
  private static final String THREADS = "[request thread]";

  private JdkFrames() {}

  /** A book of these. */
  public static FrameBook book() {
    try (BufferedReader all =
        new BufferedReader(
            new InputStreamReader(
                FrameBook.class.getResourceAsStream("frames.txt"), StandardCharsets.UTF_8))) {
      return new FrameBook(FrameRules.parse(new StringReader(ofJdk(all.lines().toList()))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String ofJdk(List<String> lines) {
    List<String> kept = new ArrayList<>();
    String section = "";
    for (String line : lines) {
      if (line.startsWith("[")) {
        section = line.strip();
        kept.add(line);
      } else if (!line.isBlank() && !line.startsWith("#") && !section.equals(THREADS)) {
        int name = line.indexOf(": ") < 0 ? 0 : line.indexOf(": ") + 2;
        String frames =
            Stream.of(line.substring(name).strip().split("\\s+"))
                .filter(JdkFrames::isOfJdk)
                .collect(Collectors.joining(" "));
        if (!frames.isEmpty()) {
          kept.add(line.substring(0, name) + frames);
        }
      }
    }
    return String.join("\n", kept);
  }

  private static boolean isOfJdk(String frame) {
    return frame.startsWith("*")
        || JDK.stream().anyMatch(frame::startsWith) && !frame.startsWith(SERVLETS);
  }
}
