package io.gcdiag.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The log that the pages switch on in a running JVM is switched off again by what they say, and the
 * JVM's own logs and warnings stay as they were. ({@code VM.log disable} switches all of them off.)
 */
@Tag("slow")
class SwitchedOffLogTest {

  private static final String WARNINGS = "stdout all=warning";

  @TempDir Path folder;

  private static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), out);
    return out;
  }

  private static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  private List<String> commands(Process service) throws IOException {
    return Files.readAllLines(Pages.ROOT.resolve("docs/how-to/collect.md")).stream()
        .filter(line -> line.startsWith("jcmd PID VM.log "))
        .map(line -> line.replace("PID", Long.toString(service.pid())))
        .map(line -> line.replace("/tmp/gc.log", folder.resolve("gc.log").toString()))
        .toList();
  }

  private static String jcmd(String line) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(Arrays.asList(line.split(" ")));
    words.set(0, tool("jcmd"));
    return run(words);
  }

  @Test
  void theJvmsOwnLogsStay() throws IOException, InterruptedException {
    Path program = folder.resolve("Service.java");
    Files.writeString(
        program,
        "public class Service { public static void main(String[] a) throws Exception {"
            + " System.out.println(); Thread.sleep(600_000); } }");
    Path own = folder.resolve("own.log");
    Process service =
        new ProcessBuilder(tool("java"), "-Xlog:gc:file=" + own, program.toString()).start();
    try {
      // It runs once its first line is there.
      assertTrue(service.getInputStream().read() > 0);
      List<String> commands = commands(service);
      assertEquals(2, commands.size());
      String list = "jcmd " + service.pid() + " VM.log list";

      jcmd(commands.get(0));
      assertTrue(jcmd(list).contains(folder.resolve("gc.log").toString()));

      jcmd(commands.get(1));
      String after = jcmd(list);
      assertFalse(after.contains(folder.resolve("gc.log").toString()), after);
      assertTrue(after.contains(WARNINGS), after);
      assertTrue(after.contains(own.toString()), after);
    } finally {
      service.destroyForcibly().waitFor();
    }
  }
}
