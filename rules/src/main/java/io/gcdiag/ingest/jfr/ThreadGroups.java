package io.gcdiag.ingest.jfr;

import io.gcdiag.evidence.ThreadGroupCpu;
import io.gcdiag.evidence.ThreadGroupCpu.Kind;
import io.gcdiag.evidence.ThreadNames;
import io.gcdiag.ingest.Redactor;
import io.gcdiag.ingest.frames.FrameBook;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** CPU by thread, summed up by kinds of threads: those whose names differ in numbers only. */
final class ThreadGroups {

  /** As in {@code C2 CompilerThread0}. */
  private static final String COMPILER = "CompilerThread";

  /** A service has some dozens of kinds; one with more names its threads after their work. */
  private static final int MOST_GROUPS = 200;

  private static final String OTHERS = "other threads";

  /** What HotSpot is told in the JDK's own settings. */
  private static final Duration USUAL_PERIOD = Duration.ofSeconds(10);

  private final FrameBook book;
  private final Redactor redactor;
  private final Map<String, Group> groups = new HashMap<>();
  private final Set<String> names = new HashSet<>();
  private final Map<Instant, Map<Group, Sum>> readings = new TreeMap<>();

  /** Groups of which a thread was met in a frame that serves requests. */
  private final Set<String> serving = new HashSet<>();

  private record Group(String name, Kind kind) {}

  private record Sum(int threads, double share) {
    Sum plus(Sum more) {
      return new Sum(threads + more.threads, share + more.share);
    }
  }

  ThreadGroups(FrameBook book, Redactor redactor) {
    this.book = book;
    this.redactor = redactor;
  }

  boolean isEmpty() {
    return readings.isEmpty();
  }

  void add(Instant at, String thread, double share) {
    // All threads are read at one instant, up to the clock's ticks.
    Instant second = Instant.ofEpochSecond(at.getEpochSecond());
    readings
        .computeIfAbsent(second, any -> new HashMap<>())
        .merge(group(thread), new Sum(1, share), Sum::plus);
  }

  /** Threads of an executor are told by what they do: their names say nothing. */
  void serves(String thread) {
    if (serving.size() < MOST_GROUPS) {
      serving.add(ThreadNames.group(redactor.redact(thread)));
    }
  }

  private Group group(String thread) {
    Group known = groups.get(thread);
    if (known != null) {
      return known;
    }
    String name = ThreadNames.group(redactor.redact(thread));
    if (!names.contains(name) && names.size() >= MOST_GROUPS) {
      name = OTHERS;
    }
    names.add(name);
    Kind kind =
        thread.contains(COMPILER)
            ? Kind.COMPILER
            : book.isRequestThread(thread) ? Kind.REQUEST : Kind.OTHER;
    Group group = new Group(name, kind);
    if (groups.size() < MOST_GROUPS * MOST_GROUPS) {
      groups.put(thread, group);
    }
    return group;
  }

  private Kind kind(Group group) {
    return group.kind() == Kind.OTHER && serving.contains(group.name())
        ? Kind.REQUEST
        : group.kind();
  }

  List<ThreadGroupCpu> samples(Optional<Duration> period) {
    List<ThreadGroupCpu> samples = new ArrayList<>();
    readings.forEach(
        (at, groupsThen) ->
            groupsThen.forEach(
                (group, sum) ->
                    samples.add(
                        new ThreadGroupCpu(
                            at,
                            period.orElse(USUAL_PERIOD),
                            group.name(),
                            kind(group),
                            sum.threads(),
                            sum.share()))));
    samples.sort(
        (a, b) ->
            a.at().equals(b.at()) ? a.group().compareTo(b.group()) : a.at().compareTo(b.at()));
    return samples;
  }
}
