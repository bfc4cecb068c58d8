package io.gcdiag.ingest.frames;

import io.gcdiag.evidence.WaitKind;
import io.gcdiag.ingest.frames.FrameBook.Wait;
import java.util.List;
import java.util.Optional;

/** One stack held against the rules, in the order that {@link FrameBook} documents. */
final class StackReader {

  private static final int NONE = -1;
  private static final String MONITOR = "monitor";
  private static final String LOCK = "java.util.concurrent.locks";

  private final FrameRules rules;
  private final List<String> frames;

  /** How many of the innermost frames belong to the JDK or are waits themselves. */
  private final int leading;

  StackReader(FrameRules rules, List<String> frames) {
    this.rules = rules;
    this.frames = frames;
    int count = 0;
    while (count < frames.size() && isLeading(frames.get(count))) {
      count++;
    }
    leading = count;
  }

  Wait read(boolean blocked, Optional<String> parkedClass, boolean serving) {
    if (!blocked && isIdleWorker()) {
      return new Wait(WaitKind.IDLE, "");
    }
    Optional<String> socket = leadingName(Section.SOCKET);
    boolean polls = leadingName(Section.POLL).isPresent();
    int client = firstClient();
    Optional<String> pool = pool(socket.isPresent() || polls, client);
    if (pool.isPresent()) {
      return new Wait(WaitKind.POOL, pool.get());
    }
    Optional<String> lock = lock(blocked, parkedClass);
    if (lock.isPresent()) {
      return new Wait(WaitKind.LOCK, lock.get());
    }
    if (client != NONE && (socket.isPresent() || polls)) {
      return new Wait(WaitKind.DOWNSTREAM, clientName(client));
    }
    if (client != NONE && client <= leading) {
      return fileOr(new Wait(WaitKind.DOWNSTREAM, clientName(client)));
    }
    if (leading < frames.size() && rules.is(Section.SERVER, frames.get(leading)) && !polls) {
      return new Wait(WaitKind.OTHER, rules.name(Section.SERVER, frames.get(leading)).orElse(""));
    }
    if (polls) {
      return new Wait(WaitKind.IDLE, "");
    }
    if (socket.isPresent()) {
      return new Wait(WaitKind.DOWNSTREAM, socket.get());
    }
    if (!serving && leadingName(Section.QUEUE).isPresent()) {
      return new Wait(WaitKind.IDLE, "");
    }
    return fileOr(new Wait(WaitKind.OTHER, parkedClass.orElse(sleeps() ? "sleep" : "")));
  }

  private boolean isIdleWorker() {
    if (first(Section.IDLE) != NONE) {
      return true;
    }
    for (String frame : frames) {
      if (rules.is(Section.LOOP, frame)) {
        return true;
      }
      boolean waits =
          rules.is(Section.WAIT, frame)
              || rules.is(Section.BETWEEN, frame)
              || rules.is(Section.POLL, frame)
              || rules.is(Section.SOCKET, frame);
      if (!waits) {
        return false;
      }
    }
    return false;
  }

  private Optional<String> pool(boolean onSocket, int client) {
    int named = first(Section.POOL);
    int beneath = first(Section.POOL_BENEATH);
    if (onSocket || named == NONE && beneath == NONE) {
      return Optional.empty();
    }
    String name =
        named == NONE
            ? rules.name(Section.POOL_BENEATH, frames.get(beneath)).orElse("")
            : rules.name(Section.POOL, frames.get(named)).orElse("");
    int innermost = named == NONE ? beneath : beneath == NONE ? named : Math.min(named, beneath);
    boolean insideDriver = client != NONE && client < innermost && !clientName(client).equals(name);
    return insideDriver ? Optional.empty() : Optional.of(name);
  }

  private Optional<String> lock(boolean blocked, Optional<String> parkedClass) {
    if (blocked) {
      return Optional.of(parkedClass.orElse(MONITOR));
    }
    if (parkedClass.isPresent()) {
      return parkedClass.filter(this::isLockClass);
    }
    return leadingName(Section.LOCK).map(name -> LOCK);
  }

  private boolean isLockClass(String name) {
    // The rules know frames; a class is looked up as the beginning of one.
    return rules.is(Section.LOCK_CLASS, name + ".") || rules.is(Section.LOCK_CLASS, name);
  }

  private Wait fileOr(Wait other) {
    return leadingName(Section.FILE).isPresent() ? new Wait(WaitKind.FILE, "file") : other;
  }

  private boolean sleeps() {
    return frames.stream().limit(leading).anyMatch(FrameBook::isSleep);
  }

  private boolean isLeading(String frame) {
    return rules.is(Section.JDK, frame)
        || rules.is(Section.POLL, frame)
        || rules.is(Section.SOCKET, frame);
  }

  private Optional<String> leadingName(Section section) {
    return frames.stream()
        .limit(leading)
        .flatMap(frame -> rules.name(section, frame).stream())
        .findFirst();
  }

  private int firstClient() {
    int database = first(Section.CLIENT);
    int service = first(Section.SERVICE_CLIENT);
    return database == NONE || service == NONE
        ? Math.max(database, service)
        : Math.min(database, service);
  }

  private int first(Section section) {
    for (int i = 0; i < frames.size(); i++) {
      if (rules.is(section, frames.get(i))) {
        return i;
      }
    }
    return NONE;
  }

  private String clientName(int index) {
    return rules
        .name(Section.CLIENT, frames.get(index))
        .or(() -> rules.name(Section.SERVICE_CLIENT, frames.get(index)))
        .orElse("");
  }
}
