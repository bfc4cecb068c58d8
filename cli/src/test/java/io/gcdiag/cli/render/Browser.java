package io.gcdiag.cli.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A Chromium without a window, steered by its driver (W3C WebDriver over HTTP). */
final class Browser implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int START_ATTEMPTS = 100;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process driver;
  private final String session;

  private Browser(Process driver, int port) throws IOException, InterruptedException {
    this.driver = driver;
    String server = "http://127.0.0.1:" + port;
    for (int i = 0; i < START_ATTEMPTS && !answers(server); i++) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    String capabilities =
        """
        {"capabilities": {"alwaysMatch": {
          "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
          "goog:chromeOptions": {"args": ["--headless=new", "--no-sandbox", "--disable-gpu",
            "--disable-dev-shm-usage", "--window-size=1200,900"]}}}}
        """;
    JsonNode opened = post(server + "/session", capabilities);
    this.session = server + "/session/" + opened.get("sessionId").asText();
  }

  /** Absent where Chromium or its driver is not installed. */
  static Optional<Browser> start() throws IOException, InterruptedException {
    Optional<Path> driver = onPath("chromedriver");
    if (driver.isEmpty() || onPath("chromium").isEmpty()) {
      return Optional.empty();
    }
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Process process =
        new ProcessBuilder(driver.get().toString(), "--port=" + port)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      return Optional.of(new Browser(process, port));
    } catch (IOException | InterruptedException | RuntimeException e) {
      process.destroy();
      throw e;
    }
  }

  private static Optional<Path> onPath(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  void open(Path file) throws IOException, InterruptedException {
    post(session + "/url", JSON.createObjectNode().put("url", file.toUri().toString()).toString());
  }

  /** What a function body returns, run in the page. */
  JsonNode run(String script) throws IOException, InterruptedException {
    return execute("/execute/sync", script);
  }

  /** The same for one that calls its last argument with the result. */
  JsonNode runAsync(String script) throws IOException, InterruptedException {
    return execute("/execute/async", script);
  }

  /** A command of Chromium's own protocol. */
  JsonNode command(String name, String parameters) throws IOException, InterruptedException {
    return post(
        session + "/goog/cdp/execute",
        "{\"cmd\": \"" + name + "\", \"params\": " + parameters + "}");
  }

  /** What the log of that name gained since it was last read. */
  List<JsonNode> log(String name) throws IOException, InterruptedException {
    JsonNode entries = post(session + "/se/log", "{\"type\": \"" + name + "\"}");
    return Stream.iterate(0, i -> i < entries.size(), i -> i + 1).map(entries::get).toList();
  }

  private JsonNode execute(String path, String script) throws IOException, InterruptedException {
    var body = JSON.createObjectNode().put("script", script);
    body.putArray("args");
    return post(session + path, body.toString());
  }

  private JsonNode post(String address, String body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    JsonNode answer =
        JSON.readTree(http.send(request, HttpResponse.BodyHandlers.ofString()).body()).get("value");
    if (answer.has("error")) {
      throw new IllegalStateException(answer.get("error") + ": " + answer.get("message"));
    }
    return answer;
  }

  private boolean answers(String server) throws InterruptedException {
    try {
      HttpRequest request = HttpRequest.newBuilder(URI.create(server + "/status")).build();
      return http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    try {
      http.send(
          HttpRequest.newBuilder(URI.create(session)).DELETE().build(),
          HttpResponse.BodyHandlers.discarding());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      driver.destroy();
    }
  }
}
