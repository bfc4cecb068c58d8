package io.gcdiag.fleet;

import io.gcdiag.evidence.time.Window;
import java.time.ZoneOffset;

/** By what cases are put together. */
public enum GroupBy {
  /** The name of the service. */
  SERVICE("Service") {
    @Override
    public String of(CaseRow row) {
      return row.origin().service().orElse(UNKNOWN);
    }
  },
  /** The machine or pod. */
  HOST("Host") {
    @Override
    public String of(CaseRow row) {
      return row.origin().host().orElse(UNKNOWN);
    }
  },
  /** The version of the service. */
  VERSION("Version") {
    @Override
    public String of(CaseRow row) {
      return row.origin().build().orElse(UNKNOWN);
    }
  },
  /** The day on which the files begin, in UTC. */
  DAY("Day") {
    @Override
    public String of(CaseRow row) {
      return row.time()
          .map(Window::from)
          .map(from -> from.atZone(ZoneOffset.UTC).toLocalDate().toString())
          .orElse(UNKNOWN);
    }
  };

  /** The group of what the files do not say. */
  public static final String UNKNOWN = "unknown";

  private final String title;

  GroupBy(String title) {
    this.title = title;
  }

  /** For people. */
  public String title() {
    return title;
  }

  /** The group of a case. */
  public abstract String of(CaseRow row);
}
