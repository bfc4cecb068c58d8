package io.gcdiag.read.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassNamesTest {

  @ParameterizedTest
  @CsvSource({
    "java/lang/String, java.lang.String",
    "[B, byte[]",
    "[[Ljava.lang.String;, java.lang.String[][]",
    // Numbered in every run anew: JDK 17, JDK 21, JDK 8, as recordings and histograms write them.
    "app/Orders$$Lambda$14+0x0000000800c03000/253338119, app.Orders$$Lambda",
    "app.Orders$$Lambda$14+0x0000000800c03000.253338119, app.Orders$$Lambda",
    "app.Orders$$Lambda+0x00007f98c85bf118, app.Orders$$Lambda",
    "app.Orders$$Lambda$7/1792845110, app.Orders$$Lambda",
    "[Lapp.Orders$$Lambda$14/0x0000000800c03000;, app.Orders$$Lambda[]",
    "java/lang/invoke/LambdaForm$MH+0x00007f98c8010000/0x00007f98c8010000,"
        + " java.lang.invoke.LambdaForm$MH",
    "app.Codec/0x00007f98c8010000, app.Codec",
    // Names of the application's own, which only look alike.
    "app.v2.Order$1, app.v2.Order$1",
    "app.Orders$$anon, app.Orders$$anon"
  })
  void theNameIsWhatTheSourceCodeSays(String written, String expected) {
    assertEquals(expected, ClassNames.source(written));
  }
}
