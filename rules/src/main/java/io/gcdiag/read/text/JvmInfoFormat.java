package io.gcdiag.read.text;

import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.read.bytes.ClockAlignment;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.JvmProcess;
import io.gcdiag.read.bytes.LineSource;
import io.gcdiag.read.bytes.TimeText;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** A JVM's flags and heap as tools print them. */
public final class JvmInfoFormat extends InputFormat {

  private static final String TABLE = "[Global flags]";

  /**
   * A list of flags, or the heap, near the beginning. Further down, such lines belong to a log or a
   * thread dump, which have their own reader.
   */
  private static final Pattern BEGINNING =
      Pattern.compile(
          "\\A(?:[^\\n]*\\n){0,4}?(?:-XX:[+-]?\\w+"
              + "|\\s{0,2}(?:garbage-first heap|PSYoungGen|def new generation|DefNew"
              + "|par new generation) +total "
              + "|\\s{0,2}ZHeap +used |Shenandoah Heap\\r?\\n"
              + "|\\S.* VM version \\d)");

  private static final Pattern INSIDE =
      Pattern.compile("(?m)^(?:\\[Global flags\\]|Heap Configuration:|jvm_args: )");

  public JvmInfoFormat() {
    super(
        "jvm-info",
        "flags or heap of a JVM (jcmd PID VM.flags -all, VM.command_line, GC.heap_info; jmap -heap)");
  }

  @Override
  public boolean recognises(FileHead head) {
    return BEGINNING.matcher(head.text()).find()
        || head.holds(
            INSIDE, "[Global flags]", JvmInfoText.HEAP_CONFIGURATION, JvmInfoText.ARGUMENTS);
  }

  @Override
  public List<String> marks() {
    return List.of(TABLE, JvmInfoText.HEAP_CONFIGURATION, JvmInfoText.ARGUMENTS);
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    JvmInfoText info = new JvmInfoText(file.name(), intake.redactor());
    Optional<String> damage;
    try (InputStream in = file.bytes().open()) {
      LineSource lines = new LineSource(in);
      for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
        info.line(line.get(), lines.number());
      }
      damage = lines.damage();
    }
    if (info.isEmpty()) {
      throw new IOException("no flag and no heap in it, though it begins like a list of them");
    }
    if (info.hasFlags()) {
      intake.timeline().signal(Signal.FLAGS, SignalState.SEEN);
    }
    // A recording or log is certainly of the JVM in question; this output may be of another JVM.
    intake.afterRecordings(clocks -> intake.timeline().jvm(info.facts()));
    intake
        .processes()
        .add(
            new JvmProcess(
                file.name(),
                JvmProcess.Kind.STATEMENT,
                info.facts(),
                Optional.empty(),
                Optional.empty(),
                ""));
    intake.afterLogs(
        clocks ->
            at(file, info.time(), clocks)
                .flatMap(info::heapAt)
                .ifPresent(sample -> intake.timeline().heapOfLog(List.of(sample))));
    return damage.map(Outcome::partial).orElse(Outcome.COMPLETE);
  }

  private static Optional<Instant> at(InputFile file, TimeText time, ClockAlignment clocks) {
    return time.instant().or(() -> time.local().map(local -> clocks.ofLocal(file.name(), local)));
  }
}
