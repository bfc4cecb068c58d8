package io.gcdiag.ingest.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Reads JTL files of JMeter that are CSV. What is saved, and in what order, is configurable. */
final class JmeterCsv {

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

  /** Of a row without a header: milliseconds since 1970, milliseconds, and whether it succeeded. */
  private static final Pattern DEFAULT_ROW = Pattern.compile("\\d{13},\\d+,.*,(?:true|false),.*");

  /** The whole file has such times if one row has. */
  private static final Pattern DATE =
      Pattern.compile("\\d{1,4}[-/.]\\d{1,2}[-/.]\\d{1,4}[ T]\\d{1,2}:[\\d:.,]{1,20}");

  private static final String SEPARATORS = ",;\t|";

  /** Longer first lines are no header. */
  private static final int LONGEST_HEADER = 8_192;

  private JmeterCsv() {}

  /** Whether this is the first line of such a file. */
  static boolean isFirstLine(String line) {
    return HEADER.matcher(line).matches() || DEFAULT_ROW.matcher(line).matches();
  }

  static LoadRun read(BufferedReader rows, LoadText text, String file) throws IOException {
    rows.mark(LONGEST_HEADER);
    char[] buffer = new char[LONGEST_HEADER];
    int length = Math.max(0, rows.read(buffer));
    rows.reset();
    String first = new String(buffer, 0, length).lines().findFirst().orElse("");
    boolean headed = HEADER.matcher(first).matches();
    Table table = new Table(rows, text, headed ? separator(first) : ',');
    List<String> header = DEFAULT_HEADER;
    if (headed && table.next()) {
      header = Arrays.asList(table.row());
    }
    return read(table, header, text, file);
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
      if (DATE.matcher(table.value(time)).matches()) {
        throw new IOException(
            "the times of these results are no milliseconds since 1970: '"
                + table.value(time)
                + "' names no time zone; save them with"
                + " jmeter.save.saveservice.timestamp_format=ms");
      }
      if (!JmeterSamples.isTransaction(table.value(message))) {
        // A row that is cut before this column must not count as one of unknown success.
        String outcome =
            success < 0 ? "" : table.value(success).isEmpty() ? "?" : table.value(success);
        samples.add(
            table.number(time),
            table.number(elapsed),
            outcome,
            table.number(threads),
            table.value(label));
      }
    }
    return samples.run(file, ELAPSED);
  }
}
