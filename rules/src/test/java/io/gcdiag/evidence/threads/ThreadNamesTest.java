package io.gcdiag.evidence.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ThreadNamesTest {

  @Test
  void threadsOfOneKindDifferByNumbers() {
    assertEquals("http-nio-*-exec-*", ThreadNames.group("http-nio-8080-exec-12"));
    assertEquals("main", ThreadNames.group("main"));
  }

  @Test
  void hexadecimalNumbersAreNumbersToo() {
    assertEquals("gate-*", ThreadNames.group("gate-9e1216a"));
    assertEquals("job-*-*-*", ThreadNames.group("job-550e8400-e29b-41d4"));
    assertEquals("gate-N", ThreadNames.numbered("gate-51b8d95f"));
    assertEquals("gate-*", ThreadNames.pool("gate-9e1216a"));
    assertEquals("worker-cafe", ThreadNames.group("worker-cafe"));
    assertEquals("db*", ThreadNames.group("db2"));
  }

  @Test
  void eachRunOfDigitsBecomesAnN() {
    assertEquals("http-nio-N-exec-N", ThreadNames.numbered("http-nio-8080-exec-12"));
    assertEquals("pool-N", ThreadNames.numbered("pool-1.5"));
    assertEquals("http-nio-N-N-exec-N", ThreadNames.numbered("http-nio-127.0.0.1-8080-exec-12"));
  }

  @Test
  void executorsThatNobodyNamedAreToldApartByTheirNumber() {
    assertEquals("pool-7-thread-N", ThreadNames.numbered("pool-7-thread-12"));
    assertEquals("my-pool-N-thread-N", ThreadNames.numbered("my-pool-7-thread-12"));
  }

  @Test
  void thePoolKeepsItsOwnNumber() {
    assertEquals("pool-17-thread-*", ThreadNames.pool("pool-17-thread-1"));
    assertEquals("main", ThreadNames.pool("main"));
  }

  @Test
  void theRequestUnderWayIsNoPartOfAThreadsName() {
    assertEquals("dw-*", ThreadNames.group("dw-27 - GET /parcels/7"));
    assertEquals("dw-N", ThreadNames.numbered("dw-27 - POST /parcels"));
    assertEquals("dw-*", ThreadNames.pool("dw-27 - DELETE /parcels/7"));
    assertEquals("loader - get", ThreadNames.group("loader - get"));
  }
}
