package io.gcdiag.evidence.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
}
