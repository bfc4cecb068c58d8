package io.gcdiag.read.load;

import static io.gcdiag.read.load.LoadRuns.assertAbout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.read.load.LoadRuns.Read;
import io.gcdiag.units.Rate;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class GatlingTest {

  private static final GatlingFormat FORMAT = new GatlingFormat();

  @Test
  void aLogIsRead() throws IOException {
    Read read = LoadRuns.sample(FORMAT, "gatling-3.10-simulation.log");
    assertEquals("", read.lost());
    // grep ^REQUEST f | cut -f4 | cut -c1-10 | sort | uniq -c
    assertEquals(List.of(4L, 32L, 32L, 30L, 30L, 30L, 22L), read.requests());
    assertEquals(Instant.ofEpochSecond(1795265406), read.intervals().get(0).from());
    RequestStats stats = read.run().stats();
    assertEquals("Gatling", stats.producer());
    // Gatling's own console: "Global (OK=176 KO=4)"
    assertEquals(OptionalLong.of(180), stats.requests());
    assertEquals(OptionalLong.of(4), stats.failed());
    // grep ^REQUEST f | awk -F'\t' '{print $5-$4}' | sort -n: sum 7223, last 206,
    // lines 90, 162, 171 and 179 of 180
    assertEquals(Optional.of(Duration.ofNanos(40_127_778)), stats.mean());
    assertEquals(Optional.of(Duration.ofMillis(206)), stats.longest());
    assertAbout(24, stats.percentile(50));
    assertAbout(66, stats.percentile(90));
    assertAbout(69, stats.percentile(95));
    assertAbout(203, stats.percentile(99));
    // First start to last end: 5798 ms.
    assertEquals(Optional.of(new Rate(180 / 5.798)), stats.rate());
    // grep ^USER f | awk '/START/{n++} /END/{n--} n>m{m=n} END{print m}'
    assertEquals(OptionalLong.of(6), stats.users());
  }

  @Test
  void aLogOfAVersionThatNamesTheUserIsRead() throws IOException {
    Read read =
        LoadRuns.read(
            FORMAT,
            """
            ASSERTION\tAAECAwAAAA==
            RUN\tshop.ArticlesSimulation\tarticlessimulation\t1714557600000\t \t3.3.1
            USER\treaders\t1\tSTART\t1714557600000\t1714557600000
            REQUEST\t1\t\tread article\t1714557600000\t1714557600250\tOK\t\s
            REQUEST\t1\tOK,basket\tOK\t1714557601000\t1714557601050\tKO\tno answer
            USER\treaders\t1\tEND\t1714557600000\t1714557601100
            """);
    assertEquals("", read.lost());
    assertEquals(List.of(1L, 1L), read.requests());
    assertEquals(OptionalLong.of(1), read.run().stats().failed());
    assertEquals(Optional.of(Duration.ofMillis(150)), read.run().stats().mean());
    assertEquals(OptionalLong.of(1), read.run().stats().users());
  }

  @Test
  void cutAndImpossibleRequestsAreLeftOut() throws IOException {
    Read read =
        LoadRuns.read(
            FORMAT,
            """
            RUN\ta.B\tb\t1714557600000\t \t3.9.5
            REQUEST\t\tread\t1714557600000\t1714557600250\tOK\t\s
            REQUEST\t\tread\t1714557600500\t1714557600250\tOK\t\s
            REQUEST\t\tread\t1714557600000\t17145576""");
    assertEquals(List.of(1L), read.requests());
    assertEquals("2 lines are cut or damaged and were left out", read.lost());
  }

  @Test
  void aBinaryLogIsRefusedWithAdvice() {
    IOException e =
        assertThrows(
            IOException.class, () -> LoadRuns.read(FORMAT, "\0\0\0\0\0063.12.0\0\0\0\0\7a.B"));
    assertTrue(e.getMessage().startsWith("a binary simulation.log"), e::getMessage);
  }
}
