package io.gcdiag.read.bytes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryCopyTest {

  @TempDir Path folder;

  @Test
  void aCopyHoldsAllBytesForItsOwnerAloneAndIsGoneWhenClosed() throws IOException {
    byte[] bytes = new byte[3 << 20];
    new Random(1).nextBytes(bytes);
    Path path;
    try (TemporaryCopy copy = TemporaryCopy.of(new ByteArrayInputStream(bytes))) {
      path = copy.path();
      assertArrayEquals(bytes, Files.readAllBytes(path));
      assertEquals(bytes.length, copy.size());
      if (Files.getFileStore(path).supportsFileAttributeView("posix")) {
        assertEquals(
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE),
            Files.getPosixFilePermissions(path));
      }
    }
    assertFalse(Files.exists(path));
  }

  @Test
  void aStreamThatBreaksLeavesNothing() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("the pipe broke");
          }
        };
    IOException e = assertThrows(IOException.class, () -> TemporaryCopy.of(broken));
    assertEquals("the pipe broke", e.getMessage());
  }

  /** Copies its standard input in a process of its own, and waits. */
  public static final class Copying {

    private Copying() {}

    /** Says on its standard output when the copy is complete. */
    public static void main(String[] args) throws Exception {
      try (TemporaryCopy copy = TemporaryCopy.of(System.in)) {
        System.out.println(copy.size());
        Thread.sleep(60_000);
      }
    }
  }

  @Test
  void aProcessThatIsToldToEndLeavesNothing() throws Exception {
    assumeTrue(!System.getProperty("os.name").startsWith("Windows"));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                Copying.class.getName())
            .start();
    process.getOutputStream().write("something".getBytes());
    process.getOutputStream().close();
    assertEquals('9', process.getInputStream().read());
    try (Stream<Path> copies = Files.list(folder)) {
      assertEquals(1, copies.filter(file -> file.toString().endsWith(".tmp")).count());
    }
    process.destroy();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    try (Stream<Path> copies = Files.list(folder)) {
      assertEquals(0, copies.filter(file -> file.toString().endsWith(".tmp")).count());
    }
  }
}
