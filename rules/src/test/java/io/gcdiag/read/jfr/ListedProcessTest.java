package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.read.jfr.MachineEvents.ProcessEvents.ListedProcess;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListedProcessTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "/usr/lib/jvm/jdk-17/bin/java -Ddb.password=tiger -jar shop.jar | java",
        "postgres: app app 127.0.0.1(59518) SELECT | postgres",
        "-bash | bash",
        "backup.sh | backup.sh",
        "C:\\Program Files\\Backup\\copy.exe /to secret | copy.exe",
        "'\"C:\\Program Files\\Backup\\copy\" /to secret' | copy",
        "'' | ?"
      })
  void aProgramIsNamedWithoutFoldersAndArguments(String commandLine, String program) {
    assertEquals(program, ListedProcess.of(7, commandLine).program());
  }

  @Test
  void threadsOfTheKernelAreNoPrograms() {
    // As a JVM on Debian lists them; "top" was started by a shell, without a folder.
    List<ListedProcess> listed =
        List.of(
            ListedProcess.of(1, "/sbin/init splash"),
            ListedProcess.of(2, "kthreadd"),
            ListedProcess.of(4, "kworker/R-rcu_gp"),
            ListedProcess.of(15, "rcu_preempt"),
            ListedProcess.of(36, "kcompactd0"),
            ListedProcess.of(512, "/usr/sbin/cron -f"),
            ListedProcess.of(900, "kworker/u8:0-kvfree_rcu_reclaim"),
            ListedProcess.of(901, "jbd2/vda1-8"),
            ListedProcess.of(1200, "top"));
    assertEquals(
        List.of("init", "cron", "top"),
        ListedProcess.programs(listed).stream().map(ListedProcess::program).toList());
  }

  @Test
  void whereTheKernelIsNotListedEveryProcessIsAProgram() {
    // As in a container, whose first process is the service.
    List<ListedProcess> listed =
        List.of(ListedProcess.of(1, "java"), ListedProcess.of(2, "sidecar"));
    assertEquals(listed, ListedProcess.programs(listed));
  }
}
