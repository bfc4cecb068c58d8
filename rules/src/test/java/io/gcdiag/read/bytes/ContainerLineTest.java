package io.gcdiag.read.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContainerLineTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"log\":\"a \\\"b\\\"\\tc\\n\",\"stream\":\"stdout\",\"time\":\"2026-11-21T10:00:00Z\"}",
        "{\"stream\": \"stdout\", \"time\": \"2026\", \"log\": \"a \\\"b\\\"\\tc\\n\"}",
        "{\"@timestamp\":\"2026\",\"n\":-1.5e3,\"tags\":[\"x,}\",{\"message\":\"no\"}],\"message\":\"a"
            + " \\\"b\\\"\\tc\"}",
        "{\"level\":30,\"ok\":true,\"msg\":\"a \\\"b\\\"\\tc\",\"v\":0}",
        "{\"__CURSOR\":\"s=1\",\"MESSAGE\":\"a \\\"b\\\"\\u0009c\"}",
        "{\"log\":\"a \\\"b\\\"\\tc"
      })
  void theLineIsTakenOutOfItsObject(String collected) {
    assertEquals("a \"b\"\tc", ContainerLine.unwrap(collected));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{}",
        "{\"",
        "{\"log\"",
        "{\"log\":",
        "{\"log\":7}",
        "{\"x\":{\"log\":\"inside\"}}",
        "{\"x\":\"\\",
        "{Heap before GC invocations=1 (full 0):",
        "[0.004s][info][gc] Using G1",
        "\u001b",
        "\u001b[",
        "\u001b[36"
      })
  void whatIsNoneStaysAsItIs(String line) {
    assertEquals(line, ContainerLine.unwrap(line));
  }

  @Test
  void coloursAreTakenAway() {
    assertEquals(
        "shop_1  | [0.004s][info][gc] Using G1",
        ContainerLine.unwrap(
            "\u001b[36mshop_1  |\u001b[0m [0.004s][info][gc] \u001b[1;32mUsing\u001b[m G1"));
  }

  @Test
  void charactersBeyondAsciiAndBrokenEscapesAreBorneWith() {
    assertEquals("5M->3M ?", ContainerLine.unwrap("{\"log\":\"5M-\\u003e3M \\u00g0\"}"));
    assertEquals("?", ContainerLine.unwrap("{\"log\":\"\\u1"));
  }
}
