package io.gcdiag.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.fleet.CaseAnalyst.RecordedOrigin;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.jfr.RecordedService;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RecordedOriginTest {

  private static CaseOrigin of(String application, Map<String, String> names) {
    return RecordedOrigin.of(
        new RecordedService(
            OptionalLong.empty(), Optional.empty(), application, new TreeMap<>(names)),
        Redactor.hiding());
  }

  private static CaseOrigin origin(String service, String host, String build) {
    return new CaseOrigin(
        Optional.ofNullable(service), Optional.ofNullable(host), Optional.ofNullable(build));
  }

  @Test
  void aJarNamesServiceAndVersion() {
    assertEquals(
        origin("order-service", null, "1.4.2-rc1"),
        of("/opt/app/order-service-1.4.2-rc1.jar", Map.of()));
    assertEquals(origin("orders", null, null), of("orders.jar", Map.of()));
    assertEquals(origin("shop.Orders", null, null), of("shop.Orders", Map.of()));
    assertEquals(CaseOrigin.UNKNOWN, of("", Map.of()));
  }

  @Test
  void whatIsMeantToNameAServiceGoesBeforeItsJar() {
    assertEquals(
        origin("orders", "pod-7", "2.0"),
        of(
            "app-1.0.jar",
            Map.of(
                "-Dservice.name", "orders",
                "OTEL_SERVICE_NAME", "other",
                "HOSTNAME", "pod-7",
                "-Dservice.version", "2.0")));
  }

  @Test
  void attributesOfOpenTelemetryAreRead() {
    assertEquals(
        origin("orders", "node-3", "1.9"),
        of(
            "app.jar",
            Map.of(
                "OTEL_RESOURCE_ATTRIBUTES",
                "host.name=node-3, service.version=1.9,service.name=orders")));
  }

  @Test
  void secretsAreHidden() {
    assertEquals(
        origin("password=[hidden 1]", null, null),
        of("app.jar", Map.of("OTEL_SERVICE_NAME", "password=hunter22")));
  }
}
