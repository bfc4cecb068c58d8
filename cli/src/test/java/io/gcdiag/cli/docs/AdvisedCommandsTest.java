package io.gcdiag.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.fixtures.Incidents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each command of gcdiag that a report advises works as it stands there. */
@Tag("slow")
class AdvisedCommandsTest {

  /** In quotes, or at the end of the first screen. */
  private static final Pattern COMMAND =
      Pattern.compile("'gcdiag ([^']+)'|gcdiag (explain [a-z-]+)");

  @Test
  void everyAdvisedCommandRuns() throws IOException {
    Set<String> failed = new TreeSet<>();
    Set<String> known = new TreeSet<>();
    for (Path folder : Incidents.all()) {
      String report =
          Files.readString(folder.resolve("approved/report.txt")).replaceAll("\\s+", " ");
      Matcher command = COMMAND.matcher(report);
      while (command.find()) {
        String advised = command.group(1) == null ? command.group(2) : command.group(1);
        if (!known.add(advised)) {
          continue;
        }
        Gcdiag.Ran ran = Gcdiag.run(List.of(advised.split(" ")));
        if (ran.code() != 0) {
          failed.add(folder.getFileName() + ": " + command.group() + ": " + ran.err());
        }
      }
    }
    assertEquals(Set.of(), failed);
  }
}
