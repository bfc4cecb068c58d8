package io.gcdiag.read.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Application servers, and the schedulers of Kotlin and Scala. */
class FrameBookPlatformsTest {

  private static final FrameBook BOOK = FrameBook.standard();
  private static final String PARK =
      "jdk.internal.misc.Unsafe.park java.util.concurrent.locks.LockSupport.parkNanos ";

  private static StackKind classify(String frames) {
    return BOOK.classify(List.of(frames.trim().split("\\s+")), "TIMED_WAITING", Optional.empty());
  }

  @ParameterizedTest
  @CsvSource({
    "IronJacamar, org.jboss.jca.core.connectionmanager.pool.mcp"
        + ".SemaphoreConcurrentLinkedDequeManagedConnectionPool.getConnection"
        + " org.jboss.jca.core.connectionmanager.pool.AbstractPool.getSimpleConnection",
    "Liberty, com.ibm.ejs.j2c.FreePool.queueRequest"
        + " com.ibm.ejs.j2c.FreePool.createOrWaitForConnection com.ibm.ejs.j2c.PoolManager.reserve",
    "GlassFish, com.sun.enterprise.resource.pool.ConnectionPool.getResource"
        + " com.sun.enterprise.resource.pool.PoolManagerImpl.getResourceFromPool"
        + " com.sun.enterprise.resource.pool.PoolManagerImpl.getResource",
    "WebLogic, weblogic.common.resourcepool.ResourcePoolImpl.reserveResource"
        + " weblogic.jdbc.common.internal.ConnectionPool.reserve",
    "Apache HttpClient 3,"
        + " org.apache.commons.httpclient.MultiThreadedHttpConnectionManager.doGetConnection"
  })
  void aBorrowerOfAnApplicationServersPoolWaitsForThePool(String name, String borrow) {
    StackKind kind = classify(PARK + borrow + " com.acme.Orders.find java.lang.Thread.run");
    assertEquals(WaitKind.POOL, kind.waitsFor());
    assertEquals(name, kind.name());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.wildfly.security.manager.WildFlySecurityManager.doChecked",
        "fish.payara.nucleus.requesttracing.RequestTracingService.startTrace",
        "com.caucho.server.dispatch.ServletInvocation.service",
        "org.jboss.as.ee.component.ViewService$View.invoke",
        "weblogic.servlet.internal.ServletStubImpl.execute",
        "com.ibm.ws.webcontainer.servlet.ServletWrapper.service",
        "io.openliberty.http.monitor.ServletFilter.doFilter"
      })
  void codeOfAnApplicationServerIsNotTheServices(String frame) {
    assertFalse(BOOK.isServices(frame));
    assertTrue(BOOK.isServices("com.acme.Rack.rate"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.park"
            + " kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.tryPark"
            + " kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.runWorker",
        "sun.misc.Unsafe.park akka.dispatch.forkjoin.ForkJoinPool.idleAwaitWork"
            + " akka.dispatch.forkjoin.ForkJoinPool.scan"
            + " akka.dispatch.forkjoin.ForkJoinPool.runWorker",
        "sun.misc.Unsafe.park scala.concurrent.forkjoin.ForkJoinPool.scan"
            + " scala.concurrent.forkjoin.ForkJoinPool.runWorker",
        "cats.effect.unsafe.WorkerThread.park$1 cats.effect.unsafe.WorkerThread.run",
        "zio.internal.ZScheduler$$anon$3.run"
      })
  void aWorkerOfASchedulerThatParksItselfIsIdle(String loop) {
    String frames = PARK + loop;
    StackKind kind = classify(frames);
    assertEquals(
        ThreadActivity.IDLE, BOOK.activity(kind, List.of(frames.split("\\s+")), "TIMED_WAITING"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application-akka.actor.default-dispatcher-7",
        "shop-pekko.actor.default-dispatcher-12",
        "eventLoopGroupProxy-4-1",
        "DefaultDispatcher-worker-3",
        "ratpack-blocking-3-1",
        "ZScheduler-Worker-2"
      })
  void workersOfTheseServersServeRequests(String thread) {
    assertTrue(BOOK.isRequestThread(thread));
  }
}
