package io.gcdiag.measures.jvm;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu.Kind;
import io.gcdiag.sketches.IncidentBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CpuUseTest {

  private static ThreadGroupCpu group(String name, Kind kind, double share) {
    return new ThreadGroupCpu(IncidentBuilder.at(90), Duration.ofSeconds(10), name, kind, 4, share);
  }

  @Test
  void whatJavaThreadsLeaveOfTheJvmIsTheCollectors() {
    // Of 80 %: 40 % request threads, 8 % compiler, 16 % others; the rest, 16 %, collects.
    CpuUse use =
        CpuUse.of(
                incident()
                    .cpus(4)
                    .cpu(85, 0.8, 0.9)
                    .sample(group("http-nio-*-exec-*", Kind.REQUEST, 0.40))
                    .sample(group("C* CompilerThread*", Kind.COMPILER, 0.08))
                    .sample(group("report-*", Kind.OTHER, 0.16))
                    .build()
                    .timeline(),
                IncidentBuilder.TROUBLE)
            .orElseThrow();
    assertEquals(0.16, use.collector(), 1e-9);
    assertEquals(0.08, use.compiler(), 1e-9);
    assertEquals(0.56, use.service(), 1e-9);
    assertEquals(0.10, use.others(), 1e-9);
    assertEquals(0.4 / 0.56, use.requestThreads(), 1e-9);
  }

  @Test
  void whatTheVmThreadDoesAtOtherSafepointsIsNoWorkOfTheService() {
    // Half of the JVM's 40 % is of no Java thread: on two cores a stop of 24 s in 60 s takes 20 %.
    CpuUse use =
        CpuUse.of(
                incident()
                    .collector("Parallel")
                    .cpus(2)
                    .cpu(85, 0.4, 0.5)
                    .sample(group("http-nio-*-exec-*", Kind.REQUEST, 0.20))
                    .safepoint(70, 0, 24_000, "ThreadDump", false)
                    .build()
                    .timeline(),
                IncidentBuilder.TROUBLE)
            .orElseThrow();
    assertEquals(0.2, use.collector(), 1e-9);
    assertEquals(0.2, use.service(), 1e-9);
  }

  @Test
  void withoutCpuByThreadOnlyPausesAreTheCollectors() {
    // 24 s of CPU in pauses of 60 s on four cores: 10 %.
    CpuUse use =
        CpuUse.of(
                incident()
                    .cpus(4)
                    .cpu(85, 0.5, 0.6)
                    .collectorCpu(90, 24_000, 8_000)
                    .build()
                    .timeline(),
                IncidentBuilder.TROUBLE)
            .orElseThrow();
    assertEquals(0.1, use.collector(), 1e-9);
    assertEquals(0.4, use.service(), 1e-9);
    assertEquals(1, use.requestThreads(), 1e-9);
  }
}
