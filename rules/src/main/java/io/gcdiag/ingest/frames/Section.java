package io.gcdiag.ingest.frames;

import java.util.Arrays;
import java.util.Optional;

/** The sections of {@code frames.txt}, each a meaning that a frame can have. */
enum Section {
  POOL("pool"),
  POOL_BENEATH("pool beneath"),
  OWN_POOL("own pool"),
  CLIENT("client"),
  SERVICE_CLIENT("service client"),
  ASYNC_CLIENT("async client"),
  IDLE("idle"),
  LOOP("loop"),
  QUEUE("queue"),
  POLL("poll"),
  SOCKET("socket"),
  UNRECORDED("unrecorded"),
  FILE("file"),
  PIPE("pipe"),
  SERVER("server"),
  SLOW_CLIENT("slow client"),
  OWN_SERVER("own server"),
  LIMITER("limiter"),
  RETRY("retry"),
  OVERFLOW("overflow"),
  LOG_QUEUE("log queue"),
  DIRECT_MEMORY("direct memory"),
  TRANSACTION("transaction"),
  LOCK_CLASS("lock class"),
  LOCK("lock"),
  DATABASE_LOCK("database lock"),
  PERMIT_CLASS("permit class"),
  FUTURE("future"),
  WAIT("wait"),
  BETWEEN("between"),
  REQUEST("request"),
  ANSWER("answer"),
  REQUEST_THREAD("request thread"),
  HOST_SERVICE("host service"),
  SERVER_LOOP("server loop"),
  JDK("jdk"),
  PLUMBING("plumbing"),
  LIBRARY("library");

  private final String title;

  Section(String title) {
    this.title = title;
  }

  static Optional<Section> titled(String title) {
    return Arrays.stream(values()).filter(section -> section.title.equals(title)).findFirst();
  }
}
