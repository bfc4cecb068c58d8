package io.gcdiag.read.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.WaitKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FramesOfUsersTest {

  private static final List<String> BORROWING =
      List.of(
          "jdk.internal.misc.Unsafe.park",
          "java.util.concurrent.locks.LockSupport.park",
          "java.util.concurrent.Semaphore.acquire",
          "com.example.db.Leases.lease",
          "com.example.Orders.find");

  @TempDir Path folder;

  private Path file(String... lines) throws IOException {
    return Files.write(folder.resolve("ours.txt"), List.of(lines));
  }

  private static StackKind read(FrameBook book, List<String> stack) {
    return book.classify(stack, "WAITING", Optional.empty());
  }

  @Test
  void aPoolOfOnesOwnIsKnownByItsFrame() throws IOException {
    FrameBook book =
        FrameBook.with(file("# ours", "[pool]", "Leases: com.example.db.Leases.lease"));
    assertEquals(WaitKind.POOL, read(book, BORROWING).waitsFor());
    assertEquals("Leases", read(book, BORROWING).name());
    assertEquals(WaitKind.OTHER, read(FrameBook.standard(), BORROWING).waitsFor());
  }

  @Test
  void whatIsKnownStaysKnown() throws IOException {
    FrameBook book = FrameBook.with(file("[pool]", "Leases: com.example.db.Leases.lease"));
    List<String> hikari =
        List.of(
            "jdk.internal.misc.Unsafe.park",
            "java.util.concurrent.SynchronousQueue.poll",
            "com.zaxxer.hikari.util.ConcurrentBag.borrow",
            "com.zaxxer.hikari.pool.HikariPool.getConnection");
    assertEquals("HikariCP", read(book, hikari).name());
  }

  @Test
  void threadsOfOnesOwnServeRequests() throws IOException {
    FrameBook book = FrameBook.with(file("[request thread]", "rpc-worker-*"));
    assertTrue(book.isRequestThread("rpc-worker-17"));
  }

  @Test
  void aWrongLineIsNamed() throws IOException {
    Path wrong = file("[pool]", "", "[pools]");
    IllegalFramesException e =
        assertThrows(IllegalFramesException.class, () -> FrameBook.with(wrong));
    assertEquals(wrong + ", line 3: unknown section [pools]", e.getMessage());
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    Path missing = folder.resolve("missing.txt");
    IllegalFramesException e =
        assertThrows(IllegalFramesException.class, () -> FrameBook.with(missing));
    assertEquals(missing + ": cannot be read", e.getMessage());
  }

  @Test
  void bytesThatAreNoTextAreRefused() throws IOException {
    Path binary = Files.write(folder.resolve("ours.bin"), new byte[] {(byte) 0xC3, (byte) 0x28});
    assertTrue(
        assertThrows(IllegalFramesException.class, () -> FrameBook.with(binary))
            .getMessage()
            .endsWith("not a text in UTF-8"));
  }
}
