package io.gcdiag.cli.manual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.cli.manual.Manual.Topic;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ManualTest {

  @Test
  void everyTopicHasItsPage() {
    for (Topic topic : Manual.topics()) {
      assertTrue(Manual.page(topic).startsWith("# " + topic.id() + "\n"), topic.id());
    }
  }

  @Test
  void anIdIsFoundInCapitalsToo() {
    assertEquals(
        new Topic(Topic.Kind.HYPOTHESIS, "memory-leak"), Manual.find("Memory-Leak").orElseThrow());
    assertEquals(new Topic(Topic.Kind.RULE, "pool-wait"), Manual.find("pool-wait").orElseThrow());
    assertEquals(new Topic(Topic.Kind.WORD, "confidence"), Manual.find("confidence").orElseThrow());
    assertTrue(Manual.find("pool").isEmpty());
  }

  @Test
  void aMistypedNameIsFound() {
    assertEquals("memory-pressure", Manual.nearest("memory-presure").get(0));
    assertEquals("deadlock", Manual.nearest("DEADLOK").get(0));
    assertEquals("heap-free-ratio", Manual.nearest("heap_free_ratio").get(0));
  }

  @Test
  void aWordFindsTheNamesItStandsIn() {
    List<String> names = List.of("memory-leak", "thread-leak", "pool-wait", "gc-pause-growth");
    assertEquals(List.of("memory-leak", "thread-leak"), NearestNames.of("leak", names));
    assertEquals(List.of("gc-pause-growth"), NearestNames.of("gc-pauses", names));
    assertEquals(List.of("pool-wait"), NearestNames.of("poolwait", names));
  }

  @Test
  void nothingIsNearToSomethingElse() {
    assertEquals(List.of(), Manual.nearest("xyzzy"));
    assertEquals(List.of(), Manual.nearest(""));
    assertEquals(List.of(), Manual.nearest("--"));
  }

  @Test
  void aTermOfTheGlossaryOpensTheGlossary() {
    for (String term : List.of("station", "Safepoint", "contributing", "undecided", "elsewhere")) {
      assertEquals(Manual.find("glossary"), Manual.find(term), term);
    }
    assertEquals(Optional.empty(), Manual.find("nosuch"));
  }
}
