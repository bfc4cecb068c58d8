package io.gcdiag.cli.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;

/**
 * The version of this tool and the commit it was built from, written into a resource by the build.
 */
public final class Version {

  private Version() {}

  /** Such as {@code 0.1.0}. */
  public static String number() {
    return build().getProperty("version");
  }

  /**
   * The version, the commit and the JVM that runs it, a line each. Without git, and in sources that
   * are no clone, the commit is unknown.
   */
  public static List<String> lines() {
    Properties build = build();
    return List.of(
        "gcdiag " + build.getProperty("version"),
        build.getProperty("commit"),
        "JVM %s (%s, %s)"
            .formatted(
                System.getProperty("java.vm.version"),
                System.getProperty("java.vm.name"),
                System.getProperty("java.vm.vendor")));
  }

  /** What answers depend on: a commit between two versions may answer differently. */
  public static String answering() {
    return number() + ", " + build().getProperty("commit");
  }

  private static Properties build() {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties;
  }
}
