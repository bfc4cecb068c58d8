package io.gcdiag.read.metrics;

import io.gcdiag.evidence.threads.LoggedError.Kind;
import io.gcdiag.read.bytes.TimeText;
import io.gcdiag.read.metrics.ToolText.Event;
import io.gcdiag.read.metrics.ToolText.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code kubectl describe pod}, {@code kubectl get pod -o yaml} or {@code -o json}, {@code
 * kubectl get events} and {@code docker inspect} say of the end of containers, of their limits and
 * of failed liveness probes.
 */
final class PodText {

  /** {@code Reason: OOMKilled}, {@code reason: OOMKilled}, {@code "OOMKilled": true}. */
  private static final Pattern KILLED =
      Pattern.compile("^\\s*\"?(?:[Rr]eason\"?:\\s+\"?OOMKilled\"?|OOMKilled\":\\s+true),?\\s*$");

  private static final Pattern FINISHED =
      Pattern.compile("^\\s*\"?(?:[Ff]inished(?:At)?|lastTimestamp)\"?:\\s+\"?([^\"]+)\"?,?\\s*$");

  private static final Pattern SECTION = Pattern.compile("^\\s*\"?([Ll]imits)\"?:\\s*\\{?\\s*$");
  private static final Pattern LIMIT =
      Pattern.compile("^\\s*\"?(cpu|memory)\"?:\\s+\"?(\\d+(?:\\.\\d+)?)(m|[KMGT]i?|k)?\"?,?\\s*$");

  /** {@code kubectl get events}: how long ago the node saw that the kernel killed a process. */
  private static final Pattern EVENT =
      Pattern.compile(
          "^(?:\\S+\\s+)?((?:\\d+[dhms])+)\\s.*\\bWarning\\s+OOMKilling\\s.*\\(java\\).*");

  /** The end of a container for a probe, behind its age in a table. */
  private static final Pattern RESTART =
      Pattern.compile(
          "(?:(?<!\\S)((?:\\d+[dhms])+)(?!\\S).*)?\\bContainer (\\S+) failed liveness probe");

  /** The largest number of lines between the reason of a container's end and its time. */
  private static final int NEAR = 6;

  private static final Pattern AGE = Pattern.compile("(\\d{1,6})([dhms])");
  private static final Map<String, Integer> SECONDS =
      Map.of("s", 1, "m", 60, "h", 3_600, "d", 86_400);

  private static final String SIZES = "kmgt";
  private static final int BINARY = 1024;
  private static final int DECIMAL = 1000;
  private static final double MILLI = 1e-3;

  private static final String OUT_OF_MEMORY = "OOMKilled";

  private final List<Event> ends = new ArrayList<>();
  private OptionalDouble cores = OptionalDouble.empty();
  private OptionalDouble memory = OptionalDouble.empty();
  private TimeText finished = TimeText.NONE;
  private int sinceFinished = NEAR;
  private int sinceKilled = NEAR;
  private boolean limits;

  /** Reads a line; returns whether it is of a limit or an end. */
  boolean line(String line) {
    sinceFinished++;
    sinceKilled++;
    if (KILLED.matcher(line).matches()) {
      if (sinceFinished < NEAR) {
        killed(finished());
      } else {
        sinceKilled = 0;
      }
      return true;
    }
    Matcher end = FINISHED.matcher(line);
    if (end.matches()) {
      finished = TimeText.in(end.group(1));
      if (sinceKilled < NEAR) {
        killed(finished());
        sinceKilled = NEAR;
      } else {
        sinceFinished = 0;
      }
      return true;
    }
    Matcher event = EVENT.matcher(line);
    if (event.matches()) {
      killed(Moment.NONE.after(-age(event.group(1))));
      return true;
    }
    Matcher restart = RESTART.matcher(line);
    if (restart.find()) {
      Moment moment =
          restart.group(1) == null ? finished() : Moment.NONE.after(-age(restart.group(1)));
      ends.add(new Event(moment, Kind.RESTARTED, restart.group(2)));
      return true;
    }
    if (SECTION.matcher(line).matches()) {
      limits = true;
      return true;
    }
    Matcher limit = LIMIT.matcher(line);
    if (limits && limit.matches()) {
      limit(limit);
      return true;
    }
    limits = false;
    return false;
  }

  /** The largest container is the service and not a sidecar. */
  private void limit(Matcher limit) {
    double value = Double.parseDouble(limit.group(2));
    String unit = Optional.ofNullable(limit.group(3)).orElse("");
    if (limit.group(1).equals("cpu")) {
      double count = unit.equals("m") ? value * MILLI : value;
      cores = OptionalDouble.of(Math.max(cores.orElse(0), count));
    } else {
      int power =
          unit.isEmpty() ? 0 : 1 + SIZES.indexOf(unit.substring(0, 1).toLowerCase(Locale.ROOT));
      double bytes = value * Math.pow(unit.endsWith("i") ? BINARY : DECIMAL, power);
      memory = OptionalDouble.of(Math.max(memory.orElse(0), bytes));
    }
  }

  /** Seconds in {@code 2m30s} or {@code 3d4h}. */
  private static double age(String text) {
    Matcher part = AGE.matcher(text);
    double seconds = 0;
    while (part.find()) {
      seconds += Double.parseDouble(part.group(1)) * SECONDS.get(part.group(2));
    }
    return seconds;
  }

  private Moment finished() {
    return new Moment(finished);
  }

  private void killed(Moment moment) {
    ends.add(new Event(moment, Kind.KILLED_FOR_MEMORY, OUT_OF_MEMORY));
  }

  List<Event> ends() {
    return List.copyOf(ends);
  }

  OptionalDouble cores() {
    return cores;
  }

  OptionalDouble memory() {
    return memory;
  }
}
