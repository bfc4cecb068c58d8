package io.gcdiag.read.jfr.events;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.CpuSample.ProcessList;
import io.gcdiag.evidence.jvm.CpuSample.ProcessList.Program;
import io.gcdiag.read.jfr.reader.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The other processes on the machine, by name. How they were started stays in the file. */
public final class ProcessEvents extends EventGroup {

  private static final String PROCESS = "jdk.SystemProcess";
  private static final String JVM = "jdk.JVMInformation";

  /** Longer than any process number, which the event has as text. */
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  /** Several times what a large machine runs; of more the rest is left out. */
  private static final int MOST_LISTED = 50_000;

  private final SortedMap<Instant, List<ListedProcess>> lists = new TreeMap<>();
  private OptionalLong own = OptionalLong.empty();
  private int listed;

  public ProcessEvents(LaneContext lane) {
    super(lane);
    on(PROCESS, this::process);
    on(JVM, this::jvm);
  }

  private void jvm(Event event) {
    if (event.number("pid").isPresent()) {
      own = event.number("pid");
    }
  }

  private void process(Event event) {
    String number = event.text("pid").orElse("");
    if (listed < MOST_LISTED && NUMBER.matcher(number).matches()) {
      listed++;
      lists
          .computeIfAbsent(event.start(), at -> new ArrayList<>())
          .add(ListedProcess.of(Long.parseLong(number), event.text("commandLine").orElse("")));
    }
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    lists.forEach(
        (at, processes) ->
            timeline.sample(new ProcessList(at, others(processes), source(PROCESS))));
  }

  private List<Program> others(List<ListedProcess> processes) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    ListedProcess.programs(processes).stream()
        .filter(process -> own.isEmpty() || own.getAsLong() != process.number())
        .sorted(Comparator.comparingLong(ListedProcess::number).reversed())
        .forEach(process -> counts.merge(redactor.redact(process.program()), 1, Integer::sum));
    return counts.entrySet().stream()
        .map(entry -> new Program(entry.getKey(), entry.getValue()))
        .toList();
  }
}
