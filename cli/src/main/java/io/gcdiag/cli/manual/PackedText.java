package io.gcdiag.cli.manual;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A text that the build packs into the jar, such as a page, a script or a style sheet. */
public final class PackedText {

  private PackedText() {}

  /**
   * The text, its lines ended by a line feed on every system.
   *
   * @param beside a class of the package in which it lies
   */
  public static String of(Class<?> beside, String name) {
    try (InputStream in = beside.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is not packed into this jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(name + " cannot be read from this jar", e);
    }
  }
}
