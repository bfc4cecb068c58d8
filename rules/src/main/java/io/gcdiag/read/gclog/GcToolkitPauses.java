package io.gcdiag.read.gclog;

import com.microsoft.gctoolkit.aggregator.Aggregates;
import com.microsoft.gctoolkit.aggregator.Aggregation;
import com.microsoft.gctoolkit.aggregator.Aggregator;
import com.microsoft.gctoolkit.aggregator.Collates;
import com.microsoft.gctoolkit.aggregator.EventSource;
import com.microsoft.gctoolkit.event.g1gc.G1GCPauseEvent;
import com.microsoft.gctoolkit.event.generational.GenerationalGCPauseEvent;
import com.microsoft.gctoolkit.event.jvm.JVMEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects GCToolkit's pauses. This class and the nested one are public because GCToolkit creates
 * them by reflection.
 */
@Collates(GcToolkitPauses.Collector.class)
public final class GcToolkitPauses extends Aggregation {

  private final List<JVMEvent> events = new ArrayList<>();

  public GcToolkitPauses() {}

  /** The pauses so far, in the order in which GCToolkit found them. */
  List<JVMEvent> events() {
    return events;
  }

  @Override
  public boolean hasWarning() {
    return false;
  }

  @Override
  public boolean isEmpty() {
    return events.isEmpty();
  }

  /**
   * Receives the pauses. Each outbox is named once: several sources share the first one, and naming
   * two of them would deliver every event twice.
   */
  @Aggregates({EventSource.GENERATIONAL, EventSource.G1GC})
  public static final class Collector extends Aggregator<GcToolkitPauses> {

    /**
     * Registers for the two families of pauses.
     *
     * @param pauses receives them
     */
    public Collector(GcToolkitPauses pauses) {
      super(pauses);
      register(GenerationalGCPauseEvent.class, pauses.events::add);
      register(G1GCPauseEvent.class, pauses.events::add);
    }
  }
}
