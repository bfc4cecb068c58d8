package io.gcdiag.ingest.jfr.waits;

import io.gcdiag.evidence.waits.LockHold.Doing;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.evidence.waits.WaitSite;
import io.gcdiag.ingest.frames.StackKind;
import java.util.Optional;
import java.util.function.Function;

/**
 * Waits with one stack for one thing: all that is said of them but their time and thread. It is
 * worked out once, and serves some thousands of events.
 */
final class WaitPlace {

  private final StackKind kind;
  private final WaitKind wait;
  private final String what;
  private final Doing doing;
  private final PoolHolds.Step step;
  private final boolean inNative;
  private final Function<WaitSite, WaitSeries.Builder> sites;
  private Optional<WaitedCode.At> code = Optional.empty();
  private Optional<WaitSeries.Builder> serving = Optional.empty();
  private Optional<WaitSeries.Builder> background = Optional.empty();

  /**
   * A place.
   *
   * @param kind what its stack says
   * @param wait what is waited for
   * @param what the pool, lock, remote address or file, with its secrets hidden
   * @param inNative whether the thread is in a native call meanwhile
   * @param sites gives the series of a site
   */
  WaitPlace(
      StackKind kind,
      WaitKind wait,
      String what,
      boolean inNative,
      Function<WaitSite, WaitSeries.Builder> sites) {
    this.kind = kind;
    this.wait = wait;
    this.what = what;
    this.doing = new Doing(wait, what);
    this.step = new PoolHolds.Step(Optional.of(wait), what, kind);
    this.inNative = inNative;
    this.sites = sites;
  }

  StackKind kind() {
    return kind;
  }

  WaitKind waitsFor() {
    return wait;
  }

  boolean isIdle() {
    return wait == WaitKind.IDLE;
  }

  boolean isInNative() {
    return inNative;
  }

  String what() {
    return what;
  }

  Doing doing() {
    return doing;
  }

  PoolHolds.Step step() {
    return step;
  }

  /** Where in the code it is, once its stack has been looked at. */
  void code(WaitedCode.At at) {
    code = Optional.of(at);
  }

  Optional<WaitedCode.At> code() {
    return code;
  }

  /** Where the waits are summed up, of request threads and of others apart. */
  WaitSeries.Builder series(boolean onRequestThread) {
    Optional<WaitSeries.Builder> known = onRequestThread ? serving : background;
    if (known.isPresent()) {
      return known.get();
    }
    WaitSeries.Builder found =
        sites.apply(new WaitSite(wait, what, onRequestThread, kind.top(), client()));
    if (onRequestThread) {
      serving = Optional.of(found);
    } else {
      background = Optional.of(found);
    }
    return found;
  }

  private String client() {
    boolean call = wait == WaitKind.DOWNSTREAM && kind.waitsFor() == WaitKind.DOWNSTREAM;
    return call ? kind.name() : "";
  }
}
