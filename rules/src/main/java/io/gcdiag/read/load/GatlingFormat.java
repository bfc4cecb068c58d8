package io.gcdiag.read.load;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The {@code simulation.log} of Gatling. Up to 3.11 it has lines of values between tabs, which
 * begin with the kind of record; since 3.12 it is binary.
 */
public final class GatlingFormat extends LoadFormat {

  private static final String PRODUCER = "Gatling";

  private static final String REQUEST = "REQUEST\t";
  private static final String USER = "USER\t";

  private static final Pattern TEXT =
      Pattern.compile("(?:ASSERTION\t\\S*\\R)*RUN\t[^\t\\n]*\t[^\t\\n]*\t\\d+.*", Pattern.DOTALL);

  /** The first record holds the version: a length in four bytes, then characters. */
  private static final Pattern BINARY =
      Pattern.compile("\0\0\0\0[\5-\40]\\d\\.\\d+\\.\\d+.*", Pattern.DOTALL);

  private static final String GOOD = "OK";
  private static final String BAD = "KO";

  public GatlingFormat() {
    super("gatling", "a simulation.log of Gatling");
  }

  @Override
  public boolean recognises(FileHead head) {
    return TEXT.matcher(head.text()).matches() || BINARY.matcher(head.text()).matches();
  }

  @Override
  LoadRun read(LoadText text, String file) throws IOException {
    Run run = new Run(text);
    if (text.binary) {
      new BinaryLog(text, run).read();
    } else {
      BufferedReader lines = new BufferedReader(text);
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(REQUEST)) {
          request(line, run);
        } else if (line.startsWith(USER)) {
          run.user(line.contains("\tSTART\t") ? 1 : line.contains("\tEND\t") ? -1 : 0);
        }
      }
    }
    return run.result(file);
  }

  @Override
  InputStream open(InputFile file, IngestContext intake) throws IOException {
    boolean binary = BINARY.matcher(FileHead.of(file.bytes()).text()).matches();
    return binary ? intake.open(file) : super.open(file, intake);
  }

  /** A run, as both forms of the log have it. */
  private static final class Run {
    private final LoadText text;
    private final RunRecorder requests = new RunRecorder(false);
    private long users;
    private long mostUsers;

    Run(LoadText text) {
      this.text = text;
    }

    void user(int more) {
      users += more;
      mostUsers = Math.max(mostUsers, users);
    }

    /** Adds a request with its times in milliseconds since 1970; false if they are impossible. */
    boolean request(long start, long end, boolean failed, String name) {
      return requests.add(
          Instant.ofEpochMilli(start), Duration.ofMillis(end - start), failed, name);
    }

    LoadRun result(String file) throws IOException {
      Source source = new Source(file, REQUEST.strip());
      RequestStats.Builder stats = new RequestStats.Builder(PRODUCER, source);
      stats.failed(requests.failed());
      if (mostUsers > 0) {
        stats.users(mostUsers);
      }
      return requests.run(PRODUCER, stats, source);
    }
  }

  /**
   * A request. Versions differ in the fields before the two times (some have the user's name), but
   * the outcome always follows the times.
   */
  private static void request(String line, Run run) {
    String[] values = line.split("\t", -1);
    for (int i = 3; i < values.length; i++) {
      if (!values[i].equals(GOOD) && !values[i].equals(BAD)) {
        continue;
      }
      OptionalLong start = Table.number(values[i - 2]);
      OptionalLong end = Table.number(values[i - 1]);
      if (start.isPresent()
          && end.isPresent()
          && run.request(
              start.getAsLong(), end.getAsLong(), values[i].equals(BAD), values[i - 3])) {
        return;
      }
    }
    run.text.damaged();
  }

  /**
   * The log of 3.12 and later, as Gatling's {@code LogFileDataWriter} writes it: a record of the
   * run, then those of users, requests, groups and errors, each after a byte that says which. Times
   * are milliseconds since the start of the run.
   */
  private static final class BinaryLog {
    private static final int REQUEST_RECORD = 1;
    private static final int USER_RECORD = 2;
    private static final int GROUP_RECORD = 3;
    private static final int ERROR_RECORD = 4;

    /** How the JVM stores a string that has characters beyond ISO 8859-1. */
    private static final int WIDE = 1;

    private final LoadText text;
    private final Run run;
    private final DataInputStream in;

    /** Each name is written once, and known by its number from then on. */
    private final Map<Integer, String> names = new HashMap<>();

    BinaryLog(LoadText text, Run run) {
      this.text = text;
      this.run = run;
      this.in = new DataInputStream(new BufferedInputStream(text.bytes));
    }

    void read() {
      try {
        in.readByte();
        string();
        string();
        long start = in.readLong();
        string();
        for (int scenarios = in.readInt(); scenarios > 0; scenarios--) {
          string();
        }
        for (int assertions = in.readInt(); assertions > 0; assertions--) {
          bytes();
        }
        for (int kind = in.read(); kind >= 0; kind = in.read()) {
          record(kind, start);
        }
      } catch (IOException e) {
        text.endsAt("cut or damaged");
      }
    }

    private void record(int kind, long start) throws IOException {
      switch (kind) {
        case REQUEST_RECORD -> {
          groups();
          String name = name();
          long from = start + in.readInt();
          long to = start + in.readInt();
          boolean good = in.readBoolean();
          name();
          if (!run.request(from, to, !good, name)) {
            text.damaged();
          }
        }
        case USER_RECORD -> {
          in.readInt();
          run.user(in.readBoolean() ? 1 : -1);
          in.readInt();
        }
        case GROUP_RECORD -> {
          groups();
          // Two times, a sum of times and the outcome.
          in.skipNBytes(3 * Integer.BYTES + 1);
        }
        case ERROR_RECORD -> {
          name();
          in.readInt();
        }
        default -> throw new IOException("no record begins with " + kind);
      }
    }

    private void groups() throws IOException {
      for (int groups = in.readInt(); groups > 0; groups--) {
        name();
      }
    }

    private String name() throws IOException {
      int number = in.readInt();
      if (number < 0) {
        return names.getOrDefault(-number, "");
      }
      String name = string();
      names.put(number, name);
      return name;
    }

    private String string() throws IOException {
      byte[] value = bytes();
      if (value.length == 0) {
        return "";
      }
      boolean wide = in.readByte() == WIDE;
      return new String(value, wide ? StandardCharsets.UTF_16LE : StandardCharsets.ISO_8859_1);
    }

    private byte[] bytes() throws IOException {
      int length = in.readInt();
      if (length < 0 || length > LoadText.LONGEST_LINE) {
        throw new IOException("no string is that long: " + length);
      }
      byte[] value = in.readNBytes(length);
      if (value.length < length) {
        throw new EOFException();
      }
      return value;
    }
  }
}
