package io.gcdiag.ingest.jfr.waits;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.waits.AcceptedPorts;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.evidence.waits.WaitSite;
import io.gcdiag.ingest.format.Redactor;
import io.gcdiag.ingest.frames.StackKind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The waits of a recording by what was waited for, in names that hide secrets. */
final class WaitSites {

  /** A service waits at some dozens of sites; a recording with more has names that never repeat. */
  private static final int MOST_SITES = 2_000;

  /** While these wait, their threads are in a native call. */
  private static final Set<String> IN_NATIVE =
      Set.of(
          WaitEvents.SOCKET_READ,
          WaitEvents.SOCKET_WRITE,
          WaitEvents.FILE_READ,
          WaitEvents.FILE_WRITE,
          WaitEvents.FILE_FORCE);

  private final String file;
  private final Redactor redactor;
  private final Map<WaitSite, WaitSeries.Builder> series = new HashMap<>();
  private final Map<String, String> shownNames = new HashMap<>();

  WaitSites(String file, Redactor redactor) {
    this.file = file;
    this.redactor = redactor;
  }

  /** The place where a stack waits for something of that name, by events of one type. */
  WaitPlace place(String event, StackKind kind, WaitKind wait, String name) {
    return new WaitPlace(
        kind, wait, shown(name), IN_NATIVE.contains(event), site -> series(site, event));
  }

  private WaitSeries.Builder series(WaitSite site, String event) {
    WaitSite kept =
        series.containsKey(site) || series.size() < MOST_SITES
            ? site
            : new WaitSite(site.kind(), "other sites", site.onRequestThread(), "");
    return series.computeIfAbsent(
        kept, key -> new WaitSeries.Builder(key, new Source(file, event)));
  }

  /** Names repeat with every event, and to look one through for secrets takes a while. */
  private String shown(String name) {
    if (shownNames.size() >= MOST_SITES) {
      shownNames.clear();
    }
    return shownNames.computeIfAbsent(name, redactor::redact);
  }

  /** Whether waits of that kind, and of that name or library unless it is a lock, were timed. */
  boolean has(WaitKind kind, String name) {
    return series.keySet().stream()
        .anyMatch(
            site ->
                site.kind() == kind
                    && (kind == WaitKind.LOCK
                        || site.name().equals(name)
                        || site.client().equals(name)));
  }

  /** Whether waits of that kind were timed. */
  boolean has(WaitKind kind) {
    return series.keySet().stream().anyMatch(site -> site.kind() == kind);
  }

  void finish(TimelineBuilder timeline) {
    Set<WaitSite> accepted = accepted();
    series.forEach(
        (site, builder) -> {
          if (!accepted.contains(site)) {
            timeline.waits(builder.build());
          }
        });
  }

  /**
   * Reads of no known client at one place in code from many ports that systems give to connections
   * they open: the service accepted these connections and waits for its callers' next requests.
   */
  private Set<WaitSite> accepted() {
    Map<List<String>, Set<WaitSite>> byPlace = new HashMap<>();
    for (WaitSite site : series.keySet()) {
      if (site.kind() == WaitKind.DOWNSTREAM
          && site.client().isEmpty()
          && AcceptedPorts.isEphemeral(site.name())) {
        byPlace
            .computeIfAbsent(
                List.of(AcceptedPorts.host(site.name()), site.stack()), any -> new HashSet<>())
            .add(site);
      }
    }
    return byPlace.values().stream()
        .filter(sites -> AcceptedPorts.areCallers(sites.stream().map(WaitSite::name).toList()))
        .flatMap(Set::stream)
        .collect(Collectors.toSet());
  }
}
