package io.gcdiag.books;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EditTest {

  private static Edit flag(String name, String from, String to) {
    return Edit.flag(name, Optional.of(from), to, "");
  }

  @Test
  void aFlagIsWrittenAsOnTheCommandLine() {
    assertEquals(
        "-XX:G1HeapRegionSize=8m (now 2m)", flag("-XX:G1HeapRegionSize", "2m", "8m").toString());
    assertEquals("-Xmx783m (now 512m)", flag("-Xmx", "512m", "783m").toString());
    assertEquals(
        "-XX:+DisableExplicitGC",
        Edit.flag("-XX:+DisableExplicitGC", Optional.empty(), "", "").toString());
  }

  @Test
  void aSetterTakesItsNumberAndAPlaceASentence() {
    assertEquals(
        "HikariConfig.setMaximumPoolSize(14) (now 10)",
        new Edit(Edit.Kind.CODE, "HikariConfig.setMaximumPoolSize", Optional.of("10"), "14", "")
            .toString());
    assertEquals(
        "com.acme.Cart.add:29: call it once",
        Edit.code("com.acme.Cart.add:29", "call it once", "").toString());
  }

  @Test
  void flagsOfTheSamePresentValueNameItOnce() {
    assertEquals(
        "-Xms783m -Xmx783m (now 512m)",
        Edit.together(List.of(flag("-Xms", "512m", "783m"), flag("-Xmx", "512m", "783m"))));
  }

  @Test
  void flagsOfOtherPresentValuesNameEach() {
    assertEquals(
        "-Xms1g -Xmx1g (now -Xms256m -Xmx512m)",
        Edit.together(List.of(flag("-Xms", "256m", "1g"), flag("-Xmx", "512m", "1g"))));
    assertEquals(
        "-XX:ReservedCodeCacheSize=240m -XX:+UseCodeCacheFlushing"
            + " (now -XX:ReservedCodeCacheSize=6m -XX:-UseCodeCacheFlushing)",
        Edit.together(
            List.of(
                flag("-XX:ReservedCodeCacheSize", "6m", "240m"),
                flag("-XX:+UseCodeCacheFlushing", "false", ""))));
  }
}
