package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.cli.LauncherCheckout.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The launcher in a pretended checkout, in each shell that this machine has. */
@Tag("slow")
@DisabledOnOs(OS.WINDOWS)
@Execution(ExecutionMode.CONCURRENT) // it waits more than it works
class LauncherTest {

  @TempDir Path scratch;

  /** The shells that this machine has; sh is one of them, or another. */
  static Stream<String> shells() throws IOException {
    Map<Path, String> programs = new LinkedHashMap<>();
    for (String shell : List.of("dash", "bash", "busybox sh", "sh")) {
      Optional<Path> program = LauncherCheckout.onPath(shell.split(" ")[0]);
      if (program.isPresent()) {
        programs.putIfAbsent(program.get().toRealPath(), shell);
      }
    }
    return programs.values().stream();
  }

  private LauncherCheckout checkout() throws IOException {
    return new LauncherCheckout(scratch, "checkout");
  }

  /** One line, and nothing was started. */
  private static void assertRefused(Answer answer, String... said) {
    assertEquals(1, answer.code(), answer::err);
    assertEquals("", answer.out());
    assertEquals(1, answer.err().lines().count(), answer::err);
    assertSaid(answer, said);
  }

  private static void assertSaid(Answer answer, String... said) {
    assertTrue(answer.err().startsWith("gcdiag: "), answer::err);
    for (String text : said) {
      assertTrue(answer.err().contains(text), () -> text + " is not in: " + answer.err());
    }
  }

  /** A build that fails says that it begins and at which step it is; the last line is the error. */
  private static void assertBuildFailed(Answer answer, String... said) {
    assertEquals(1, answer.code(), answer::err);
    assertEquals("", answer.out());
    String last = answer.err().lines().reduce("", (before, line) -> line);
    assertSaid(new Answer(answer.code(), "", last), said);
    assertFalse(answer.err().contains("[ERROR]"), answer::err);
  }

  private static void assertStarted(Answer answer, String... words) {
    assertEquals(0, answer.code(), answer::err);
    StringBuilder passed = new StringBuilder();
    for (String word : words) {
      passed.append('<').append(word).append(">\n");
    }
    assertTrue(answer.out().endsWith("<io.gcdiag.cli.Main>\n" + passed), answer::out);
  }

  @ParameterizedTest
  @MethodSource("shells")
  void firstCallSaysHowFarTheBuildIs(String shell) throws Exception {
    LauncherCheckout checkout = checkout();
    checkout.mavenDoes(
        """
        echo '[INFO] Downloading from central: https://repo.example/a.pom'
        echo '[INFO] Downloaded from central: https://repo.example/a.pom (500 kB at 23 kB/s)'
        echo '[INFO] Downloaded from central: https://repo.example/a.jar (2.5 MB at 1.2 MB/s)'
        sleep 1
        echo '[INFO] --- compiler:3.15.0:compile (default-compile) @ gcdiag-core ---'
        echo '[INFO] Compiling 758 source files with javac [debug release 17] to target/classes'
        sleep 1
        echo '[INFO] --- shade:3.6.2:shade (one-jar) @ gcdiag-cli ---'
        sleep 1
        """
            + LauncherCheckout.MAKES_JAR);
    Answer first = checkout.call(shell, "explain", "two words", "*", "");
    assertStarted(first, "explain", "two words", "*", "");
    List<String> said = first.err().lines().map(LauncherTest::withoutSeconds).toList();
    assertEquals(
        List.of(
            "gcdiag: first call: building it once, about a minute, with network access for libraries",
            "gcdiag: N s  fetching libraries and build plugins",
            "gcdiag: N s  compiling gcdiag-core: 758 source files",
            "gcdiag: N s  packing the jar",
            "gcdiag: N s  preparing the class archive",
            "gcdiag: ready after N s; fetched 2 files, 3.0 MB"),
        // Whether Maven said something before it was looked at is a matter of time.
        said.stream().filter(line -> !line.endsWith("fetching apache-maven-3.9.16")).toList());

    Answer second = checkout.call(shell, "explain");
    assertStarted(second, "explain");
    assertEquals("", second.err());
  }

  private static String withoutSeconds(String line) {
    return line.replaceFirst(" +[0-9]+ s", " N s");
  }

  @ParameterizedTest
  @MethodSource("shells")
  void changedSourceIsBuiltAgain(String shell) throws Exception {
    LauncherCheckout checkout = checkout();
    checkout.call(shell, "explain");
    checkout.changeSource();
    Answer answer = checkout.call(shell, "explain");
    assertStarted(answer, "explain");
    assertSaid(answer, "sources are newer than the jar: building it again");
  }

  @ParameterizedTest
  @MethodSource("shells")
  void isFoundFromAnywhere(String shell) throws Exception {
    LauncherCheckout checkout = new LauncherCheckout(scratch, "a böse path; of \"words\"");
    Path elsewhere = Files.createDirectory(scratch.resolve("else where"));
    Path beside = Files.createDirectory(scratch.resolve("beside"));
    Files.createSymbolicLink(
        beside.resolve("first"), Path.of("../a böse path; of \"words\"/gcdiag"));
    Files.createSymbolicLink(elsewhere.resolve("second"), beside.resolve("first"));
    // cd would look there first, and print where it went.
    checkout.with("CDPATH", scratch.toString()).with("LC_ALL", "C");
    assertStarted(checkout.call(shell, "explain"), "explain");
    for (String script : List.of("second", elsewhere.resolve("second").toString())) {
      Answer answer = checkout.callAs(shell, script, elsewhere, "explain");
      assertStarted(answer, "explain");
      assertEquals("", answer.err());
      assertTrue(answer.out().contains("<" + checkout.keptJar() + ">"), answer::out);
    }
    Answer relative = checkout.callAs(shell, "./gcdiag", checkout.folder(), "explain");
    assertStarted(relative, "explain");
    Answer below =
        checkout.callAs(shell, "../gcdiag", checkout.folder().resolve("rules"), "explain");
    assertStarted(below, "explain");
  }

  @ParameterizedTest
  @MethodSource("shells")
  void withoutJava(String shell) throws Exception {
    LauncherCheckout checkout = checkout().without("JAVA_HOME");
    assertRefused(checkout.call(shell, "explain"), "no Java found; install a JDK, version 17");
  }

  @ParameterizedTest
  @MethodSource("shells")
  void javaOnThePathWillDo(String shell) throws Exception {
    LauncherCheckout checkout = checkout().without("JAVA_HOME");
    checkout.putOnPath(checkout.jdk(scratch.resolve("jdk25"), "25.0.3"));
    assertStarted(checkout.call(shell, "explain"), "explain");
  }

  @ParameterizedTest
  @MethodSource("shells")
  void javaHomeThatIsNone(String shell) throws Exception {
    LauncherCheckout checkout = checkout();
    checkout.putOnPath(scratch.resolve("jdk"));
    String nowhere = scratch.resolve("no jdk").toString();
    assertRefused(
        checkout.with("JAVA_HOME", nowhere).call(shell, "explain"),
        "JAVA_HOME is " + nowhere,
        "or unset it");
  }

  @ParameterizedTest
  @MethodSource("shells")
  void oldJava(String shell) throws Exception {
    LauncherCheckout checkout = checkout();
    Path eleven = checkout.jdk(scratch.resolve("jdk11"), "11.0.2");
    checkout.with("JAVA_HOME", eleven.toString());
    assertRefused(checkout.call(shell, "explain"), "is Java 11, which is too old; install a JDK");
    Path eight = checkout.jdk(scratch.resolve("jdk8"), "1.8.0_392");
    checkout.with("JAVA_HOME", eight.toString());
    assertRefused(checkout.call(shell, "explain"), "is Java 8, which is too old");
    Files.delete(eight.resolve("release"));
    LauncherCheckout.executable(
        eight.resolve("bin/java"), "#!/bin/sh\necho 'java version \"1.8.0_392\"' >&2\n");
    assertRefused(checkout.call(shell, "explain"), "is Java 8, which is too old");
    LauncherCheckout.executable(eight.resolve("bin/java"), "#!/bin/sh\nexit 1\n");
    assertRefused(checkout.call(shell, "explain"), "does not say its version", "install a JDK");
  }

  @ParameterizedTest
  @MethodSource("shells")
  void javaWithoutCompiler(String shell) throws Exception {
    LauncherCheckout checkout = checkout();
    Files.delete(scratch.resolve("jdk/bin/javac"));
    assertRefused(checkout.call(shell, "explain"), "has no compiler", "install a JDK");
    // What was built elsewhere it can start.
    Files.createDirectories(checkout.builtJar().getParent());
    Files.writeString(checkout.builtJar(), "jar");
    assertStarted(checkout.call(shell, "explain"), "explain");
  }

  @ParameterizedTest
  @MethodSource("shells")
  void checkoutThatCannotBeWritten(String shell) throws Exception {
    LauncherCheckout checkout = checkout();
    Path target = checkout.folder().resolve("cli/target");
    Files.writeString(target, "a file, so that no user can make files below");
    assertRefused(
        checkout.call(shell, "explain"), target + " cannot be written", "copy the folder");
  }

  @ParameterizedTest
  @MethodSource("shells")
  void jarInACheckoutThatCannotBeWritten(String shell) throws Exception {
    LauncherCheckout checkout = checkout();
    Files.createDirectory(checkout.folder().resolve("cli/target"));
    Files.writeString(checkout.folder().resolve("cli/target/launcher"), "no folder");
    Files.writeString(checkout.builtJar(), "jar");
    Answer answer = checkout.call(shell, "explain");
    assertStarted(answer, "explain");
    assertEquals("", answer.err());
    checkout.changeSource();
    answer = checkout.call(shell, "explain");
    assertStarted(answer, "explain");
    assertEquals(1, answer.err().lines().count());
    assertSaid(answer, "cannot be written: sources are newer than the jar, which is used as it is");
  }

  @ParameterizedTest
  @MethodSource("shells")
  void withoutNetwork(String shell) throws Exception {
    LauncherCheckout checkout = checkout();
    checkout.mavenDoes(
        """
        echo '[ERROR] Non-resolvable import POM: Could not transfer artifact a:b:pom:1 from/to central
        (https://repo.example/maven2): repo.example: Unknown host repo.example @ line 7'
        echo '[ERROR] For more information about the errors, see'
        exit 1
        """);
    Answer answer = checkout.call(shell, "explain");
    assertBuildFailed(
        answer,
        "cannot fetch Maven or libraries (Unknown host repo.example); call gcdiag again with network",
        checkout.log().toString());
    assertTrue(Files.readString(checkout.log()).contains("Non-resolvable import POM"));
    Answer shown = checkout.call(shell, "explain", "--debug");
    assertSaid(shown, "[ERROR] Non-resolvable import POM");
    shown = checkout.with("GCDIAG_DEBUG", "1").call(shell, "explain");
    assertSaid(shown, "[ERROR] Non-resolvable import POM");
    checkout.without("GCDIAG_DEBUG").mavenDoes("echo 'wget: Failed to fetch https://x'\nexit 1\n");
    assertBuildFailed(checkout.call(shell, "explain"), "cannot fetch Maven or libraries;");
  }

  @ParameterizedTest
  @MethodSource("shells")
  void buildsThatFail(String shell) throws Exception {
    LauncherCheckout checkout = checkout();
    checkout.mavenDoes("echo '[ERROR] x.jar: No space left on device'\nexit 1\n");
    assertBuildFailed(checkout.call(shell, "explain"), "no disk space left", "free about 200 MB");
    checkout.mavenDoes(
        "echo '[ERROR] COMPILATION ERROR : '\necho '[ERROR] /x/A.java:[3,4] cannot find symbol'\nexit 1\n");
    assertBuildFailed(
        checkout.call(shell, "explain"), "the build failed: /x/A.java:[3,4] cannot find symbol");
    checkout.mavenDoes("echo 'mvnw: odd'\nexit 1\n");
    assertBuildFailed(checkout.call(shell, "explain"), "the build failed: mvnw: odd");
    checkout.mavenDoes("exit 0\n");
    assertBuildFailed(checkout.call(shell, "explain"), "the build did not make");
    assertFalse(Files.exists(checkout.keptJar()));
  }

  @ParameterizedTest
  @MethodSource("shells")
  void interruptedBuild(String shell) throws Exception {
    LauncherCheckout checkout = checkout();
    checkout.mavenDoes(LauncherCheckout.MAKES_JAR + "exec sleep 50\n");
    for (String signal : List.of("INT", "TERM")) {
      Process process =
          checkout.begin(shell, checkout.folder().resolve("gcdiag").toString(), scratch, "explain");
      while (!Files.exists(checkout.builtJar())) {
        assertTrue(process.isAlive(), () -> "it ended early");
        Thread.sleep(20);
      }
      new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid()).start().waitFor();
      assertEquals(signal.equals("INT") ? 130 : 143, process.waitFor());
      assertSaid(checkout.answer(process), "interrupted; the next call prepares gcdiag again");
      assertEquals(0, process.descendants().count());
      assertFalse(Files.exists(checkout.builtJar()), "half a jar is left");
    }
    checkout.mavenDoes(LauncherCheckout.MAKES_JAR);
    assertStarted(checkout.call(shell, "explain"), "explain");
  }

  @ParameterizedTest
  @MethodSource("shells")
  void buildThatWasKilled(String shell) throws Exception {
    LauncherCheckout checkout = checkout();
    Path lock = Files.createDirectories(checkout.folder().resolve("cli/target/launcher/lock"));
    Files.writeString(lock.resolve("pid"), "999999999\n");
    Files.writeString(lock.resolve("started"), "");
    Files.writeString(checkout.builtJar(), "half a j");
    assertStarted(checkout.call(shell, "explain"), "explain");
    assertEquals("jar\n", Files.readString(checkout.keptJar()));
  }

  @ParameterizedTest
  @MethodSource("shells")
  void ofTwoCallsOneBuilds(String shell) throws Exception {
    LauncherCheckout checkout = checkout();
    checkout.mavenDoes("sleep 2\necho built >>\"${0%/*}/builds\"\n" + LauncherCheckout.MAKES_JAR);
    String script = checkout.folder().resolve("gcdiag").toString();
    Process one = checkout.begin(shell, script, scratch, "explain");
    Process other = checkout.begin(shell, script, scratch, "explain");
    assertEquals(0, one.waitFor());
    assertEquals(0, other.waitFor());
    assertEquals("built\n", Files.readString(checkout.folder().resolve("builds")));
    String said = checkout.answer(one).err() + checkout.answer(other).err();
    assertTrue(said.contains("waiting for another call that builds gcdiag"), said);
  }

  @ParameterizedTest
  @MethodSource("shells")
  void commandsThatReadNoFilesHaveAnArchiveOfTheirOwn(String shell) throws Exception {
    LauncherCheckout checkout = checkout();
    for (List<String> call :
        List.of(
            List.of("explain"),
            List.of("littles-law", "--rps", "1"),
            List.of("analyze", "--help"))) {
      assertTrue(archiveOf(checkout.call(shell, call.toArray(String[]::new))).endsWith("-short"));
    }
    for (List<String> call :
        List.of(List.of("analyze", "gc.log"), List.of("littles-law", "--from", "folder"))) {
      String archive = archiveOf(checkout.call(shell, call.toArray(String[]::new)));
      assertTrue(archive.contains("/classes-") && !archive.endsWith("-short"), archive);
    }
  }

  /** The file of classes that Java was started with. */
  private static String archiveOf(Answer answer) {
    String option = "<-XX:SharedArchiveFile=";
    return answer
        .out()
        .lines()
        .filter(line -> line.startsWith(option))
        .map(line -> line.substring(option.length(), line.length() - 1))
        .findFirst()
        .orElse("");
  }

  @ParameterizedTest
  @MethodSource("shells")
  void withoutHomeFolder(String shell) throws Exception {
    LauncherCheckout checkout = checkout().without("HOME");
    Path maven = checkout.folder().resolve("cli/target/maven");
    Answer answer = checkout.call(shell, "explain");
    assertStarted(answer, "explain");
    assertSaid(answer, "HOME is not set", "Maven and libraries go to " + maven);
    String repository = "-Dmaven.repo.local=" + maven.resolve("repository");
    assertTrue(checkout.mavenArguments().contains(repository));

    checkout.with("HOME", "/dev/null").changeSource();
    answer = checkout.call(shell, "explain");
    assertStarted(answer, "explain");
    assertSaid(answer, "HOME is /dev/null, where no .m2 can be written");
    assertTrue(checkout.mavenArguments().contains(repository));

    checkout.with("MAVEN_USER_HOME", scratch.resolve("own maven").toString());
    answer = checkout.call(shell, "explain");
    assertStarted(answer, "explain");
    assertFalse(answer.err().contains("HOME is"), answer::err);
    assertFalse(checkout.mavenArguments().contains(repository));
  }
}
