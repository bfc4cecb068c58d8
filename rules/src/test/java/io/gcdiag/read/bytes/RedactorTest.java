package io.gcdiag.read.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedactorTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "jdbc:postgresql://app:s3cret@db:5432/shop | jdbc:postgresql://[hidden 1]@db:5432/shop",
        "-Ddb.password=hunter2 -Xmx2g | -Ddb.password=[hidden 1] -Xmx2g",
        "apiKey: abc123; region=eu | apiKey: [hidden 1]; region=eu",
        "Authorization: Bearer eyJhbGciOi.J9 | Authorization: Bearer [hidden 1]",
        "mail-worker-jane.doe@example.org | [hidden 1]",
        "/home/jane/app/data.db | /home/[hidden 1]/app/data.db",
        "jdbc:mysql://db/shop?user=app&password=pw1 | jdbc:mysql://db/shop?user=[hidden 1]&password=[hidden 2]",
        "jdbc:oracle:thin:scott/tiger@db:1521:x | jdbc:oracle:thin:[hidden 1]@db:1521:x",
        "redis://:pa55@cache:6379/0 | redis://[hidden 1]@cache:6379/0",
        "--db-password s3cret --port 80 | --db-password [hidden 1] --port 80",
        "--password s3cret --port 80 | --password [hidden 1] --port 80",
        "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7 | AWS_SECRET_ACCESS_KEY=[hidden 1]",
        "key AKIAIOSFODNN7EXAMPLE here | key [hidden 1] here",
        "'{\"password\": \"pa55w0rd\"}' | '{\"password\": \"[hidden 1]\"}'",
        "X-Api-Key: 9f8e7d6c5b | X-Api-Key: [hidden 1]",
        "C:\\Users\\jane\\gc.log | C:\\Users\\[hidden 1]\\gc.log",
        "password=a token=b again password=a | password=[hidden 1] token=[hidden 2] again password=[hidden 1]",
        "db.password=\"two words\" -Xmx2g | db.password=\"[hidden 1]\" -Xmx2g",
        "AccountName=shop;AccountKey=abc+/d==;Suffix=x | AccountName=shop;AccountKey=[hidden 1];Suffix=x",
        "https://store/blob?sv=2024&sig=aB%2Fc3 | https://store/blob?sv=2024&sig=[hidden 1]",
        "key sk_live_4eC39HqLyjWDarjtT1 used | key [hidden 1] used",
        "-----BEGIN PRIVATE KEY-----MIIEvQ+x/w== end | -----BEGIN PRIVATE KEY-----[hidden 1]",
        "session 0123456789abcdef0123456789abcdef | session [hidden 1]",
        "spring.datasource.password:4711 | spring.datasource.password:[hidden 1]",
        "Db.password:4711 | Db.password:[hidden 1]",
        "Database.password:2024!Summer | Database.password:[hidden 1]",
        "Accounts.resetPassword:1-hunter2 | Accounts.resetPassword:[hidden 1]",
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
    "most to lock com.example.TokenCache: 12 threads wait",
    "com.example.AbstractHttp2ConnectionHandlerFactory.create",
    "jvm1-checkout-service-gc-20261121-101010.log",
    "basic collections took longer",
    "password=[hidden 3]",
    "10.0.0.7:5432",
    "com.example.PasswordEncoder.encode:83",
    "com.example.Accounts.resetPassword:311",
    "com.example.TokenEndpoint$Grant.process:83",
  })
  void namesThatTheReportNeedsStay(String text) {
    assertEquals(text, Redactor.hiding().redact(text));
  }

  private static final List<String> NAMES =
      List.of(
          "login",
          "password",
          "token",
          "secret",
          "key",
          "apiKey",
          "session",
          "credential",
          "passwd",
          "accessKey");

  /** A sentence with the place in front, in the middle, at the end, in marks. */
  private static final List<String> SENTENCES =
      List.of(
          "%s:25: call com.example.BCrypt.checkpw less often",
          "%s:25 holds the lock for 31.5 s",
          "12 threads wait at %s:25",
          "12 threads wait at %s:25.",
          "12 threads wait at %s:25, 3 at com.example.Order.%s:7",
          "waits (%s:25) grew",
          "in `%s:25` and \"%s:25\"",
          "%s: call com.example.BCrypt.checkpw less often",
          "%s(10 s)",
          "%s <- com.example.Filter.doFilter:101 <- %s:3");

  @Test
  void placesInCodeStayInOurOwnSentencesWhateverTheyAreCalled() {
    for (String name : NAMES) {
      String type = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
      for (String place :
          List.of(
              "com.example." + type + "Service." + name,
              type + "." + name,
              type + "Store$Entry." + name,
              "JWT." + name,
              "com.example." + type + "Filter.<init>",
              "com.example.Login$$Lambda." + name + "All")) {
        for (String sentence : SENTENCES) {
          String whole = sentence.replace("%s", place);
          assertEquals(whole, Redactor.hiding().redactOwn(whole));
          assertEquals(whole, Redactor.hidingHosts().redactOwn(whole));
        }
      }
    }
  }

  @Test
  void filesAndEndpointsStayInOurOwnSentences() {
    for (String sentence :
        List.of(
            "token-service-gc.log:8812",
            "secrets/threads-1.txt:44 shows it",
            "password.log.2.gc.log:12, credential.json:7",
            "POST /oauth/token: requests wait for a connection",
            "threads of token-refresh: waiting for a lock")) {
      assertEquals(sentence, Redactor.hiding().redactOwn(sentence));
    }
    assertEquals(
        "token-service-gc.log:8812", Redactor.hidingHosts().redactOwn("token-service-gc.log:8812"));
  }

  /** Text that nobody hid when it was read is hidden in the sentence. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "thread exec-1 password=hunter2 waits | thread exec-1 password=[hidden 1] waits",
        "-Dapi.token=abc123 (now set) | -Dapi.token=[hidden 1] (now set)",
        "calls to https://app:s3cret@db/x are slow | calls to https://[hidden 1]@db/x are slow",
        "Authorization: Bearer eyJhbGciOi.J9 | Authorization: Bearer [hidden 1]",
        "X-Api-Key: 9f8e7d6c5b | X-Api-Key: [hidden 1]",
        "spring.datasource.password:4711 | spring.datasource.password:[hidden 1]",
        "Database.password:2024!Summer | Database.password:[hidden 1]",
        "Accounts.resetPassword:1-hunter2 | Accounts.resetPassword:[hidden 1]",
        "token: hunter22 | token: [hidden 1]",
        "token: sesame | token: [hidden 1]",
      })
  void secretsInOurOwnSentencesAreHidden(String text, String expected) {
    assertEquals(expected, Redactor.hiding().redactOwn(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "most to db.prod.example:5432 | most to [hidden 1]:5432",
        "10.0.0.7:5432 | [hidden 1]:5432",
        "jdbc:postgresql://db-1/shop | jdbc:postgresql://[hidden 1]/shop",
        "fe80:0:0:1:2:3:4:5 | [hidden 1]",
        "exec-1 on ip-10-0-0-7.eu | exec-1 on [hidden 1]",
        "recording.jfr at 01:14:08 | recording.jfr at 01:14:08",
        "com.example.Shop.order | com.example.Shop.order",
      })
  void hostsAreHiddenOnRequest(String text, String expected) {
    assertEquals(expected, Redactor.hidingHosts().redact(text));
  }

  @Test
  void nothingIsHiddenWhenSwitchedOff() {
    assertEquals("password=x", Redactor.off().redact("password=x"));
  }

  @Test
  void everyWordForASecretHidesItsValueInEachForm() {
    for (String name :
        List.of(
            "password",
            "passwd",
            "PASSWORD",
            "passphrase",
            "pwd",
            "secret",
            "token",
            "api-key",
            "apikey",
            "access_key",
            "private-key",
            "signingKey",
            "encryption_key",
            "accountKey",
            "credential")) {
      for (String text : List.of("-D" + name + "=hunter22", "--" + name + " hunter22")) {
        assertFalse(Redactor.hiding().redact(text).contains("hunter22"), text);
      }
    }
  }
}
