package io.gcdiag.fleet;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;

/** How cases are grouped. */
public enum GroupBy {
  SERVICE("Service") {
    @Override
    public String of(CaseOrigin origin, Optional<Instant> from) {
      return origin.service().orElse(UNKNOWN);
    }
  },
  HOST("Host") {
    @Override
    public String of(CaseOrigin origin, Optional<Instant> from) {
      return origin.host().orElse(UNKNOWN);
    }
  },
  VERSION("Version") {
    @Override
    public String of(CaseOrigin origin, Optional<Instant> from) {
      return origin.build().orElse(UNKNOWN);
    }
  },
  /** The day on which the files begin, in UTC. */
  DAY("Day") {
    @Override
    public String of(CaseOrigin origin, Optional<Instant> from) {
      return from.map(time -> time.atZone(ZoneOffset.UTC).toLocalDate().toString()).orElse(UNKNOWN);
    }
  };

  /** The group of cases whose files do not have the property. */
  public static final String UNKNOWN = "unknown";

  private final String title;

  GroupBy(String title) {
    this.title = title;
  }

  /** For people. */
  public String title() {
    return title;
  }

  /**
   * The group of a case.
   *
   * @param from when its files begin; absent if they are not dated
   */
  public abstract String of(CaseOrigin origin, Optional<Instant> from);

  String of(CaseFigures one) {
    return of(one.origin(), one.from());
  }
}
