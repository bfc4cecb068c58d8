package io.gcdiag.causes.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ThreadPoolExhaustedCauseTest {

  @Test
  void whatBlocksAnEventLoopIsHandedOverAsItsFrameworkCan() {
    assertEquals(
        "Reactor: subscribeOn(Schedulers.boundedElastic())",
        ThreadPoolExhaustedCause.handOver("reactor-http-epoll-*"));
    assertEquals(
        "Vert.x: executeBlocking; Quarkus: @Blocking",
        ThreadPoolExhaustedCause.handOver("vert.x-eventloop-thread-*"));
    assertEquals(
        "an executor of its own", ThreadPoolExhaustedCause.handOver("nioEventLoopGroup-*-*"));
  }
}
