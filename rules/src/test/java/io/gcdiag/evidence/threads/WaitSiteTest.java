package io.gcdiag.evidence.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.PlaceText;
import io.gcdiag.sketches.Threads;
import org.junit.jupiter.api.Test;

class WaitSiteTest {

  private static WaitSite call(String remote, String client) {
    return new WaitSite(WaitKind.DOWNSTREAM, remote, true, "com.acme.Orders.find", client);
  }

  @Test
  void aCallIsNamedByItsRemoteSideAndTheLibraryThatWaitsForIt() {
    assertEquals("db:5432 (PostgreSQL)", call("db:5432", "PostgreSQL").label());
    assertEquals("db:5432", call("db:5432", "").label());
  }

  @Test
  void aCallWithoutAnAddressIsNamedByItsLibraryAlone() {
    assertEquals("PostgreSQL", call("", "PostgreSQL").label());
    assertEquals("Redis", call("Redis", "Redis").label());
    assertEquals("entropy (/dev/random)", call("/dev/random", "entropy (/dev/random)").label());
  }

  @Test
  void callsOfTwoLibrariesToOneSideAreTwoSites() {
    assertTrue(call("gate:80", "Apache HttpClient").compareTo(call("gate:80", "OkHttp")) < 0);
  }

  /** The class of such a lock is that of thousands of objects. */
  @Test
  void aPlainObjectIsNamedByTheCodeThatTakesIt() {
    String stack = "org.gelf.Sender.send < com.acme.Api.get";
    assertEquals("taken in Sender.send", lock("java.lang.Object", stack).label());
    assertEquals("taken in Sender.send", lock("byte[]", stack).label());
    assertEquals("java.lang.Object", lock("java.lang.Object", "").label());
    assertEquals("org.gelf.Sender", lock("org.gelf.Sender", stack).label());
  }

  private static WaitSite lock(String type, String stack) {
    return new WaitSite(WaitKind.LOCK, type, true, stack);
  }

  @Test
  void aLockInADumpIsNamedByTheCodeThatTakesItIfItsClassSaysNothing() {
    ThreadPosition at = Made.position(0, "com.shop.Stock.reserve", ThreadPosition.UNKNOWN_CPU);
    ThreadState plain =
        Threads.thread(
            "exec-1", "BLOCKED", ThreadActivity.WAITING_FOR_LOCK, "java.lang.Object", true, at);
    assertEquals("taken in Stock.reserve", plain.label());
    assertEquals("waiting for a lock at com.shop.Stock.reserve", PlaceText.of(plain));
    ThreadState cart =
        Threads.thread(
            "exec-2", "BLOCKED", ThreadActivity.WAITING_FOR_LOCK, "com.shop.Cart", true, at);
    assertEquals("com.shop.Cart", cart.label());
    assertEquals(
        "waiting for a lock (com.shop.Cart) at com.shop.Stock.reserve", PlaceText.of(cart));
  }
}
