package io.gcdiag.cli;

import io.gcdiag.cli.fleet.FleetRun;
import io.gcdiag.units.Durations;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * One line on the terminal that says how many cases are done: {@code 120 of 4,000 cases, 41/min, 1
 * h 35 min left}. It is erased at the end.
 */
final class CaseProgress implements FleetRun.Progress, AutoCloseable {

  private static final long STEP_NANOS = 250_000_000L;
  private static final double MINUTE_NANOS = 60e9;
  private static final int SECONDS_PER_MINUTE = 60;

  /** Carriage return and erase in line (ECMA-48, EL). */
  private static final String ERASE = "\r\u001b[K";

  private final PrintWriter err;
  private final boolean wanted;
  private final LongSupplier clock;
  private final long begun;
  private long shown;
  private boolean visible;
  private boolean kept;
  private boolean closed;

  /**
   * A line, not written yet.
   *
   * @param wanted whether it is to be written at all
   * @param clock a monotonic clock in nanoseconds
   */
  CaseProgress(PrintWriter err, boolean wanted, LongSupplier clock) {
    this.err = err;
    this.wanted = wanted;
    this.clock = clock;
    this.begun = clock.getAsLong();
    this.shown = begun - STEP_NANOS;
  }

  @Override
  public synchronized void done(int cases, int all) {
    long now = clock.getAsLong();
    if (!wanted || closed || now - shown < STEP_NANOS || now == begun) {
      return;
    }
    shown = now;
    visible = true;
    if (!kept) {
      kept = true;
      ReadingOptions.atInterrupt(this::close);
    }
    double perMinute = cases * MINUTE_NANOS / (now - begun);
    double left = (all - cases) / perMinute * SECONDS_PER_MINUTE;
    err.print(
        ERASE
            + String.format(Locale.ROOT, "%,d of %,d cases, %.0f/min, ", cases, all, perMinute)
            + Durations.format(Math.ceil(left))
            + " left");
    err.flush();
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (visible) {
      err.print(ERASE);
      err.flush();
      visible = false;
    }
  }
}
