package io.gcdiag.read.bytes;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** JDK versions, from what JVMs print. */
public final class JvmVersions {

  /** Until JDK 8 HotSpot had versions of its own: 25.504-b01 is that of 8u504. */
  private static final Pattern HOTSPOT = Pattern.compile("^(2[0-5])\\.(\\d+)-b\\d+");

  private static final Pattern NUMBER = Pattern.compile("^(\\d+(?:\\.\\d+)*(?:_\\d+)?)");

  private static final String OF_JDK_8 = "25";

  private JvmVersions() {}

  /**
   * The version of the JDK: {@code 17.0.15} of {@code 17.0.15+6-Debian}, {@code 1.8.0_504} of
   * {@code 25.504-b01}. Empty if the text is no version, or a HotSpot version before JDK 8, which
   * does not determine the JDK.
   */
  public static Optional<String> ofJdk(String text) {
    Matcher hotspot = HOTSPOT.matcher(text);
    if (hotspot.find()) {
      return hotspot.group(1).equals(OF_JDK_8)
          ? Optional.of("1.8.0_" + hotspot.group(2))
          : Optional.empty();
    }
    Matcher number = NUMBER.matcher(text);
    return number.find() ? Optional.of(number.group(1)) : Optional.empty();
  }
}
