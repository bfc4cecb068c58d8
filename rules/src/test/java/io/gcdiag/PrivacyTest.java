package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.gcdiag.read.bytes.Redactor;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PrivacyTest {

  private record Numbers(long count, Instant at) {}

  private record Inner(String name, Optional<String> note, Numbers numbers) {}

  private record Outer(List<Inner> inner, SortedMap<String, String> values, String end) {}

  @Test
  void everyTextIsReachedHoweverDeepItLiesAndMasksCountFromOne() {
    Numbers numbers = new Numbers(1, Instant.EPOCH);
    Outer outer =
        new Outer(
            List.of(new Inner("password=a", Optional.of("token=b"), numbers)),
            new TreeMap<>(Map.of("x", "password=c")),
            "token=b");
    Redactor redactor = Redactor.hiding();
    // What a reader met before the report began does not count.
    redactor.redact("password=elsewhere");
    Outer clean = Privacy.apply(outer, Outer.class, redactor);
    assertEquals("password=[hidden 1]", clean.inner().get(0).name());
    assertEquals(Optional.of("token=[hidden 2]"), clean.inner().get(0).note());
    assertEquals("password=[hidden 3]", clean.values().get("x"));
    assertEquals("token=[hidden 2]", clean.end());
    assertSame(numbers, clean.inner().get(0).numbers());
  }
}
