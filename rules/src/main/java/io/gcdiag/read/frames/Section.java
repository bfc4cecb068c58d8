package io.gcdiag.read.frames;

import io.gcdiag.units.Named;
import java.util.Arrays;
import java.util.Optional;

/** The sections of {@code frames.txt}, each a meaning that a frame can have. */
enum Section implements Named {
  POOL,
  POOL_BENEATH,
  OWN_POOL,
  CLIENT,
  SERVICE_CLIENT,
  ASYNC_CLIENT,
  IDLE,
  LOOP,
  QUEUE,
  POLL,
  SOCKET,
  UNRECORDED,
  OPENING,
  FILE,
  PIPE,
  SERVER,
  SLOW_CLIENT,
  OWN_SERVER,
  LIMITER,
  RETRY,
  OVERFLOW,
  LOG_QUEUE,
  DIRECT_MEMORY,
  TRANSACTION,
  CONNECTION_SCOPE,
  LOCK_CLASS,
  LOCK,
  DATABASE_LOCK,
  PERMIT_CLASS,
  FUTURE,
  WAIT,
  BETWEEN,
  REQUEST,
  ANSWER,
  REQUEST_THREAD,
  HOST_SERVICE,
  SERVER_LOOP,
  JDK,
  PLUMBING,
  LIBRARY;

  static Optional<Section> titled(String title) {
    return Arrays.stream(values())
        .filter(section -> section.id().replace('-', ' ').equals(title))
        .findFirst();
  }
}
