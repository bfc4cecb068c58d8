package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.frames.StackKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitPlaceTest {

  private static String client(StackKind kind, WaitKind wait, String what) {
    List<WaitSite> asked = new ArrayList<>();
    WaitPlace place =
        new WaitPlace(
            kind,
            wait,
            what,
            true,
            site -> {
              asked.add(site);
              return new WaitSeries.Builder(site, new Source("a.jfr", "jdk.SocketRead"));
            });
    place.series(true);
    return asked.get(0).client();
  }

  private static StackKind stack(WaitKind wait, String name) {
    return new StackKind(wait, name, true, "", "com.acme.Orders.find", false, List.of());
  }

  @Test
  void aSocketReadBelowADriverKeepsTheDriversName() {
    assertEquals(
        "PostgreSQL", client(stack(WaitKind.DOWNSTREAM, "PostgreSQL"), WaitKind.DOWNSTREAM, "db"));
  }

  @Test
  void aSocketReadOfUnknownCodeHasNoLibrary() {
    assertEquals("", client(stack(WaitKind.OTHER, "Signaller"), WaitKind.DOWNSTREAM, "db"));
  }

  @Test
  void aWaitForAConnectionIsNamedByItsPoolAlone() {
    assertEquals("", client(stack(WaitKind.POOL, "HikariCP"), WaitKind.POOL, "HikariCP"));
  }
}
