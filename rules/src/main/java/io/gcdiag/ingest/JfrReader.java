package io.gcdiag.ingest;

/** Which code reads recordings. */
public enum JfrReader {
  /** Ours: what is not asked for is not decoded. */
  OWN,
  /** The JDK's {@code jdk.jfr.consumer}: several times slower, and the reference. */
  API
}
