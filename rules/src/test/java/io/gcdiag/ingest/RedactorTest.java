package io.gcdiag.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedactorTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "jdbc:postgresql://app:s3cret@db:5432/shop | jdbc:postgresql://[hidden]@db:5432/shop",
        "-Ddb.password=hunter2 -Xmx2g | -Ddb.password=[hidden] -Xmx2g",
        "apiKey: abc123; region=eu | apiKey: [hidden]; region=eu",
        "Authorization: Bearer eyJhbGciOi.J9 | Authorization: Bearer [hidden]",
        "mail-worker-jane.doe@example.org | [hidden]",
        "/home/jane/app/data.db | /home/[hidden]/app/data.db",
        "session 0123456789abcdef0123456789abcdef | session [hidden]",
      })
  void secretsAreHidden(String text, String expected) {
    assertEquals(expected, Redactor.hiding().redact(text));
  }

  @ParameterizedTest
  @CsvSource({
    "localhost:5432",
    "org.apache.tomcat.util.threads.ThreadPoolExecutor.runWorker",
    "org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter.handle",
    "http-nio-8080-exec-12",
    "/var/lib/app/data.db",
  })
  void namesThatTheReportNeedsStay(String text) {
    assertEquals(text, Redactor.hiding().redact(text));
  }

  @Test
  void nothingIsHiddenWhenSwitchedOff() {
    assertEquals("password=x", Redactor.off().redact("password=x"));
  }
}
