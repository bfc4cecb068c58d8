package io.gcdiag.read.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.read.frames.StackReader.LockWords;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LockWordsTest {

  private static Optional<String> lock(String... frames) {
    return LockWords.lock(List.of(frames), 1);
  }

  @Test
  void aMethodThatTakesAndAClassNamedAsALockAreALock() {
    assertEquals(
        Optional.of("NonfairLockQueue"),
        lock("java.lang.Object.wait", "org.basex.core.locks.NonfairLockQueue.acquire"));
    assertEquals(
        Optional.of("RowLocks"),
        lock("java.lang.Object.wait", "db.Rows.next", "db.RowLocks$Shared.tryLockAll"));
  }

  @Test
  void othersAreNot() {
    assertEquals(Optional.empty(), lock("java.lang.Object.wait", "db.BlockCache.acquire"));
    assertEquals(Optional.empty(), lock("java.lang.Object.wait", "db.LockTable.awaitWork"));
    assertEquals(
        Optional.empty(),
        lock("java.lang.Object.wait", "db.Rows.next", "db.Table.scan", "db.RowLocks.acquire"));
  }
}
