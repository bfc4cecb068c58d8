package io.gcdiag.causes.memory;

import io.gcdiag.units.Bytes;

/** Formats sizes for JVM flags. */
public final class FlagSize {

  private FlagSize() {}

  public static String of(String bytes) {
    return bytes.matches("\\d{1,18}") ? of(Bytes.of(Long.parseLong(bytes))) : bytes;
  }

  /** As on a command line: {@code 512m}, {@code 2g}. */
  public static String of(Bytes bytes) {
    long kibi = bytes.value() >> 10;
    long mebi = kibi >> 10;
    if (mebi << 20 != bytes.value()) {
      return kibi << 10 == bytes.value() ? kibi + "k" : Long.toString(bytes.value());
    }
    return mebi % 1024 == 0 && mebi > 0 ? (mebi >> 10) + "g" : mebi + "m";
  }
}
