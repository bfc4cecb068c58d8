package io.gcdiag.units;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BytesTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "4096, 4096",
    "256m, 268435456",
    "2g, 2147483648",
    "2G, 2147483648",
    "1.5GiB, 1610612736",
    "256 MiB, 268435456",
    "268MB, 268000000",
    "1k, 1024",
    "1kB, 1000",
    "1t, 1099511627776",
    "'1,000 MiB', 1048576000"
  })
  void readsTheJvmsSpellingAndBothKindsOfUnits(String text, long bytes) {
    assertEquals(new Bytes(bytes), Bytes.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1 KiB",
    "1536, 1.5 KiB",
    "1048063, '1,023 KiB'", // 1023.499 KiB
    "1048064, 1 MiB", // 1023.5 KiB would read 1,024 KiB
    "1048575, 1 MiB",
    "1048576, 1 MiB",
    "211812352, 202 MiB",
    "1048156570, '1,000 MiB'", // 999.6 MiB
    "1073741823, 1 GiB",
    "8890582446, 8.28 GiB", // 8.28 x 2^30, rounded down
    "1099511627776, 1 TiB"
  })
  void printsThreeDigitsInTheLargestUnitThatFits(long bytes, String text) {
    assertEquals(text, new Bytes(bytes).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0 B", "1023 B", "1 KiB", "1,000 KiB", "202 MiB", "8.28 GiB", "1.5 TiB"})
  void whatIsPrintedIsReadBackAndPrintedAlike(String text) {
    assertEquals(text, Bytes.parse(text).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "m", "-1m", "256q", "1.5.5g", "2 mg", "0x10", "1,00 MiB", "1.234,5k"})
  void saysHowToWriteASizeThatItCannotRead(String text) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Bytes.parse(text));
    assertEquals("'" + text + "' is not a size; write it like 256m, 2g or 256MiB", e.getMessage());
  }

  @Test
  void refusesWhatNoHeapCanHold() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Bytes.parse("99999999t"));
    assertEquals("'99999999t' is larger than any heap", e.getMessage());
  }

  @Test
  void isNeverNegative() {
    assertThrows(IllegalArgumentException.class, () -> new Bytes(-1));
    assertEquals(Bytes.ZERO, new Bytes(1).minusOrZero(new Bytes(2)));
  }

  @Test
  void aShareOfNothingDoesNotExist() {
    assertThrows(ArithmeticException.class, () -> new Bytes(1).shareOf(Bytes.ZERO));
    // 54 of 256.
    assertEquals("21.1 %", new Bytes(54).shareOf(new Bytes(256)).toString());
  }

  @Test
  void readsAndPrintsAlikeInEveryLocale() {
    for (Locale locale : List.of(Locale.GERMANY, Locale.forLanguageTag("tr-TR"))) {
      Locales.with(
          locale,
          () -> {
            assertEquals("1.5 GiB", Bytes.parse("1.5GIB").toString());
            assertEquals(Bytes.ofMebi(1), Bytes.parse("1MIB"));
          });
    }
  }
}
