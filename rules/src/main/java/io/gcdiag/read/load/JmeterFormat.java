package io.gcdiag.read.load;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.TimeText;
import io.gcdiag.units.Numbers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Results of JMeter (JTL), as CSV or XML. */
public final class JmeterFormat extends LoadFormat {

  static final String PRODUCER = "JMeter";

  /** Enough for an XML declaration and a comment before the first element. */
  private static final int XML_HEAD = 1024;

  public JmeterFormat() {
    super("jmeter", "results of JMeter (JTL: CSV or XML)");
  }

  @Override
  public boolean recognises(FileHead head) {
    return isXml(head.text())
        || JmeterCsv.isFirstLine(LoadText.withoutMark(head.text().lines().findFirst().orElse("")));
  }

  private static boolean isXml(String text) {
    String head = LoadText.withoutMark(text.substring(0, Math.min(XML_HEAD, text.length())));
    return head.startsWith("<") && head.contains("<testResults");
  }

  @Override
  LoadRun read(LoadText text, String file) throws IOException {
    BufferedReader lines = new BufferedReader(text);
    return LoadText.beginning(lines, 1).equals("<")
        ? JmeterXml.read(lines, text, file)
        : JmeterCsv.read(lines, text, file);
  }

  /** Reads JTL files of JMeter that are CSV. What is saved, and in what order, is configurable. */
  private static final class JmeterCsv {

    private static final String TIME = "timeStamp";
    private static final String ELAPSED = "elapsed";
    private static final String SUCCESS = "success";
    private static final String LABEL = "label";
    private static final String MESSAGE = "responseMessage";
    private static final String THREADS = "allThreads";

    /** The columns of a file without a header: JMeter's own default. */
    private static final List<String> DEFAULT_HEADER =
        List.of(
            TIME,
            ELAPSED,
            LABEL,
            "responseCode",
            MESSAGE,
            "threadName",
            "dataType",
            SUCCESS,
            "failureMessage",
            "bytes",
            "sentBytes",
            "grpThreads",
            THREADS);

    private static final Pattern HEADER =
        Pattern.compile("(?=.*\\btimeStamp\\b)(?=.*\\belapsed\\b).*");

    /**
     * Of a row without a header: milliseconds since 1970, milliseconds, and whether it succeeded.
     */
    private static final Pattern DEFAULT_ROW = Pattern.compile("\\d{13},\\d+,.*,(?:true|false),.*");

    /** If one row has such times, the whole file has them. */
    private static final Pattern DATE =
        Pattern.compile("\\d{1,4}[-/.]\\d{1,2}[-/.]\\d{1,4}[ T]\\d{1,2}:[\\d:.,]{1,20}");

    private static final Pattern YEAR_FIRST =
        Pattern.compile("\\d{4}[-/]\\d\\d[-/]\\d\\d[ T]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?");

    private static final String SEPARATORS = ",;\t|";

    /** Longer first lines are no header. */
    private static final int LONGEST_HEADER = 8_192;

    static boolean isFirstLine(String line) {
      return HEADER.matcher(line).matches() || DEFAULT_ROW.matcher(line).matches();
    }

    static LoadRun read(BufferedReader rows, LoadText text, String file) throws IOException {
      String first = LoadText.beginning(rows, LONGEST_HEADER).lines().findFirst().orElse("");
      boolean headed = HEADER.matcher(first).matches();
      Table table = new Table(rows, text, headed ? separator(first) : ',');
      List<String> header = DEFAULT_HEADER;
      if (headed && table.next()) {
        header = Arrays.asList(table.row());
      }
      return read(table, header, text, file);
    }

    /** A date that begins with its year; JMeter's property has such a form as its example. */
    private static Optional<LocalDateTime> date(String text) {
      return YEAR_FIRST.matcher(text).matches()
          ? TimeText.in(text.replace('/', '-')).local()
          : Optional.empty();
    }

    private static char separator(String header) {
      for (char separator : SEPARATORS.toCharArray()) {
        if (header.indexOf(separator) >= 0) {
          return separator;
        }
      }
      return ',';
    }

    private static LoadRun read(Table table, List<String> header, LoadText text, String file)
        throws IOException {
      int time = header.indexOf(TIME);
      int elapsed = header.indexOf(ELAPSED);
      int success = header.indexOf(SUCCESS);
      int label = header.indexOf(LABEL);
      int message = header.indexOf(MESSAGE);
      int threads = header.indexOf(THREADS);
      JmeterSamples samples = new JmeterSamples(text);
      while (table.next()) {
        String written = table.value(time);
        Optional<LocalDateTime> date = date(written);
        if (date.isEmpty() && DATE.matcher(written).matches()) {
          throw new IOException(
              "the times of these results are no milliseconds since 1970: '"
                  + written
                  + "' may be one of two days; save them with"
                  + " jmeter.save.saveservice.timestamp_format=ms");
        }
        samples.local = samples.local.or(() -> date);
        if (samples.isRequest(table.value(message))) {
          // A row truncated before this column must not count as one of unknown success.
          String outcome =
              success < 0 ? "" : table.value(success).isEmpty() ? "?" : table.value(success);
          samples.add(
              date.isPresent()
                  ? OptionalLong.of(date.get().toInstant(ZoneOffset.UTC).toEpochMilli())
                  : table.number(time),
              table.number(elapsed),
              outcome,
              table.number(threads),
              table.value(label));
        }
      }
      return samples.run(file, ELAPSED);
    }
  }

  /**
   * Reads JMeter's JTL files in XML. Samples may be nested: a page contains its images and
   * redirects, which do not count, a transaction its requests, which do.
   */
  private static final class JmeterXml {

    static LoadRun read(Reader from, LoadText text, String file) throws IOException {
      JmeterSamples samples = new JmeterSamples(text);
      try {
        XMLStreamReader xml = factory().createXMLStreamReader(from);
        int inside = 0;
        while (xml.hasNext()) {
          int event = xml.next();
          if (event == XMLStreamConstants.START_ELEMENT) {
            boolean counts =
                inside == 0
                    && (xml.getLocalName().equals("httpSample")
                        || xml.getLocalName().equals("sample"))
                    && samples.isRequest(attribute(xml, "rm"));
            if (counts) {
              samples.add(
                  number(xml, "ts"),
                  number(xml, "t"),
                  attribute(xml, "s"),
                  number(xml, "na"),
                  attribute(xml, "lb"));
            }
            inside += counts || inside > 0 ? 1 : 0;
          } else if (event == XMLStreamConstants.END_ELEMENT && inside > 0) {
            inside--;
          }
        }
        xml.close();
      } catch (XMLStreamException e) {
        if (e.getNestedException() instanceof IOException cause) {
          throw cause;
        }
        int line = e.getLocation() == null ? 0 : e.getLocation().getLineNumber();
        text.endsAt("not closed, or damaged, at line " + line);
      }
      return samples.run(file, "httpSample");
    }

    /** External entities are disabled: a result names no other files. */
    private static XMLInputFactory factory() {
      XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
      factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
      factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
      factory.setProperty(XMLInputFactory.IS_COALESCING, false);
      return factory;
    }

    private static String attribute(XMLStreamReader xml, String name) {
      String value = xml.getAttributeValue(null, name);
      return value == null ? "" : value;
    }

    private static OptionalLong number(XMLStreamReader xml, String name) {
      return Table.number(attribute(xml, name));
    }
  }

  /** Converts JMeter's samples, which CSV and XML have in common, into requests. */
  private static final class JmeterSamples {

    /** Written by a transaction controller into the message of a sample that sums up others. */
    private static final String TRANSACTION = "Number of samples in transaction";

    private final RunRecorder requests = new RunRecorder(false);
    private final LoadText text;
    private boolean failuresKnown;
    private long users;
    private long transactions;
    private Optional<LocalDateTime> local = Optional.empty();

    JmeterSamples(LoadText text) {
      this.text = text;
    }

    /** Whether the sample is a request and not the sum of others, by its message. */
    boolean isRequest(String message) {
      boolean transaction = message.startsWith(TRANSACTION);
      transactions += transaction ? 1 : 0;
      return !transaction;
    }

    /**
     * Adds a sample.
     *
     * @param start in milliseconds since 1970
     * @param elapsed milliseconds
     * @param success {@code true}, {@code false}, or empty if it was not saved
     * @param threads threads running at that time, if saved
     * @param label the sampler's name; empty if it was not saved
     */
    void add(
        OptionalLong start,
        OptionalLong elapsed,
        String success,
        OptionalLong threads,
        String label) {
      boolean ok = success.equals("true");
      boolean readable =
          start.isPresent()
              && elapsed.isPresent()
              && elapsed.getAsLong() <= RunRecorder.LONGEST_LATENCY.toMillis()
              && (ok || success.equals("false") || success.isEmpty());
      if (!readable
          || !requests.add(
              Instant.ofEpochMilli(start.getAsLong()),
              Duration.ofMillis(elapsed.getAsLong()),
              !ok && !success.isEmpty(),
              label)) {
        text.damaged();
        return;
      }
      failuresKnown |= !success.isEmpty();
      users = Math.max(users, threads.orElse(0));
    }

    LoadRun run(String file, String place) throws IOException {
      Source source = new Source(file, place);
      RequestStats.Builder stats = new RequestStats.Builder(JmeterFormat.PRODUCER, source);
      if (failuresKnown) {
        stats.failed(requests.failed());
      }
      if (users > 0) {
        stats.users(users);
      }
      if (transactions > 0) {
        text.note(
            "transactions, which sum up their requests, are left out (rows: %s); requests that count: %s"
                .formatted(Numbers.count(transactions), Numbers.count(requests.requests())));
      }
      LoadRun run = requests.run(JmeterFormat.PRODUCER, stats, source);
      return new LoadRun(run.stats(), run.series(), local);
    }
  }
}
