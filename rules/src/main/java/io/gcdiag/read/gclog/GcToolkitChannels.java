package io.gcdiag.read.gclog;

import com.microsoft.gctoolkit.event.jvm.JVMEvent;
import com.microsoft.gctoolkit.io.GCLogFile;
import com.microsoft.gctoolkit.message.Channel;
import com.microsoft.gctoolkit.message.ChannelListener;
import com.microsoft.gctoolkit.message.ChannelName;
import com.microsoft.gctoolkit.message.DataSourceChannel;
import com.microsoft.gctoolkit.message.DataSourceParser;
import com.microsoft.gctoolkit.message.JVMEventChannel;
import com.microsoft.gctoolkit.message.JVMEventChannelListener;
import java.util.ArrayList;
import java.util.List;

/**
 * The two channels that GCToolkit wants, called straight through in one thread. Its own ones run on
 * an event loop and give another result from run to run.
 */
final class GcToolkitChannels {

  private GcToolkitChannels() {}

  private abstract static class Direct<M, L extends ChannelListener<M>> implements Channel<M, L> {
    private final List<L> listeners = new ArrayList<>();

    @Override
    public void registerListener(L listener) {
      listeners.add(listener);
    }

    @Override
    public void publish(ChannelName channel, M message) {
      for (L listener : listeners) {
        if (listener.channel() == channel) {
          receive(listener, message);
        }
      }
    }

    /** A parser that fails on one line must not take the line from the others. */
    private void receive(L listener, M message) {
      try {
        listener.receive(message);
      } catch (RuntimeException e) {
        // Whatever is lost by it shows in the comparison of the two readings.
      }
    }

    @Override
    public void close() {
      listeners.clear();
    }
  }

  /** Thrown when all parsers have seen the last line. */
  static final class LastLineSeen extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LastLineSeen() {
      super("all lines have been parsed", null, false, false);
    }
  }

  /**
   * Lines of the log to the parsers.
   *
   * <p>After the last line everything has been parsed, as all is done in one thread. GCToolkit
   * would now wait for the event of the JVM's end, which a damaged log may never bring about,
   * without any limit: so its analysis is left right there.
   */
  static final class Lines extends Direct<String, DataSourceParser> implements DataSourceChannel {
    @Override
    public void publish(ChannelName channel, String line) {
      super.publish(channel, line);
      if (line.equals(GCLogFile.END_OF_DATA_SENTINEL)) {
        throw new LastLineSeen();
      }
    }
  }

  /** Events from the parsers to the aggregator. */
  static final class Events extends Direct<JVMEvent, JVMEventChannelListener>
      implements JVMEventChannel {}
}
