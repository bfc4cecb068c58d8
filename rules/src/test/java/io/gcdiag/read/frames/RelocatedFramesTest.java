package io.gcdiag.read.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.WaitKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Libraries that a product ships under a prefix of its own mean what they mean without. */
class RelocatedFramesTest {

  private static final Set<Section> OF_FRAMES =
      EnumSet.complementOf(EnumSet.of(Section.JDK, Section.REQUEST_THREAD));

  private static String text;
  private static FrameRules rules;

  @BeforeAll
  static void readTheBook() throws IOException {
    try (InputStream in = FrameBook.class.getResourceAsStream("frames.txt")) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    rules = FrameRules.parse(new InputStreamReader(resource(), StandardCharsets.UTF_8));
  }

  private static InputStream resource() {
    return FrameBook.class.getResourceAsStream("frames.txt");
  }

  /** A frame of each entry of the book. */
  private static List<String> entries() {
    return new BufferedReader(new StringReader(text))
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#") && !line.startsWith("["))
        .map(line -> line.substring(line.indexOf(": ") < 0 ? 0 : line.indexOf(": ") + 2))
        .flatMap(line -> Arrays.stream(line.strip().split("\\s+")))
        .filter(entry -> entry.indexOf('.') > 0 && entry.indexOf('*') < 0)
        .filter(entry -> !entry.startsWith("java.") && !entry.startsWith("jdk."))
        .filter(entry -> !entry.startsWith("sun.") && !entry.startsWith("com.sun."))
        .map(entry -> entry.endsWith(".") ? entry + "Some.call" : entry)
        .map(entry -> entry.endsWith("$") ? entry + "Inner.call" : entry)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"com.acme.search.shaded.", "org.example.third_party.", "shadow."})
  void everyEntryMeansTheSameBehindAPrefixThatSaysWhatItIs(String prefix) {
    List<String> entries = entries();
    assertTrue(entries.size() > 350, () -> "only " + entries.size() + " entries");
    for (String entry : entries) {
      assertAlike(entry, prefix + entry);
    }
  }

  @Test
  void everyEntryOfADomainMeansTheSameBehindAnyPrefix() {
    List<String> entries =
        entries().stream()
            .filter(entry -> entry.matches("(com|org|net|io|dev|co)\\.[a-z].*"))
            .toList();
    assertTrue(entries.size() > 300, () -> "only " + entries.size() + " entries");
    for (String entry : entries) {
      assertAlike(entry, "com.acme.search." + entry);
    }
  }

  private static void assertAlike(String entry, String relocated) {
    for (Section section : OF_FRAMES) {
      assertEquals(rules.name(section, entry), rules.name(section, relocated), relocated);
    }
  }

  @Test
  void aPoolBehindAPrefixIsThatPool() {
    FrameBook book = FrameBook.standard();
    StackKind wait =
        book.classify(
            List.of(
                "jdk.internal.misc.Unsafe.park",
                "java.util.concurrent.locks.LockSupport.parkNanos",
                "com.acme.search.com.zaxxer.hikari.util.ConcurrentBag.borrow",
                "com.acme.search.com.zaxxer.hikari.pool.HikariPool.getConnection",
                "com.acme.search.Index.read"),
            "TIMED_WAITING",
            Optional.empty());
    assertEquals(WaitKind.POOL, wait.waitsFor());
    assertEquals("HikariCP", wait.name());
  }

  @Test
  void whatIsOnlyNamedLikeALibraryIsNone() {
    // A part of a package that is a short name of its own, and what looks like the JDK's.
    for (String frame :
        List.of(
            "com.acme.play.Game.start",
            "com.acme.reactor.core.Rod.lower",
            "com.acme.kotlin.Bridge.call",
            "com.acme.java.io.FileInputStream.read")) {
      for (Section section : OF_FRAMES) {
        assertEquals(Optional.empty(), rules.name(section, frame), frame);
      }
    }
  }

  @Test
  void theFramesOwnMeaningGoesBeforeThatBehindItsPrefix() throws IOException {
    FrameRules own =
        FrameRules.parse(
            new StringReader(
                "[client]\nAcme: com.acme.\nHttp: org.apache.http.\n[pool]\n"
                    + "Http: org.apache.http.Pool.take\n"));
    String frame = "com.acme.org.apache.http.Pool.take";
    assertEquals(Optional.of("Acme"), own.name(Section.CLIENT, frame));
    assertEquals(Optional.of("Http"), own.name(Section.POOL, frame));
  }
}
