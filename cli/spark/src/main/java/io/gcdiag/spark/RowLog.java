package io.gcdiag.spark;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import io.gcdiag.cli.fleet.FleetStore;
import io.gcdiag.cli.fleet.RowJson;
import io.gcdiag.fleet.GroupBy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * The rows of all cases: lines as in {@code cases.jsonl}, in files that are only added, of which
 * the later counts. At the end of a job one file takes the place of all, and Spark makes of it the
 * Parquet that others read. Whatever ends a job, no row is lost.
 */
final class RowLog {

  /** What others read: a folder a day. */
  static final String PARQUET = "cases.parquet";

  private static final String LINES = "rows";
  private static final String UNFINISHED = "_unfinished-";
  private static final String DAY = "day";

  /** Begins the line of a folder, and no JSON. */
  private static final char OF_FOLDER = '#';

  private static final String FAILED = "failed";
  private static final String JUDGED = "judged";

  /** The fields of a line. Columns may be added, never renamed or dropped. */
  private static final String SCHEMA =
      "`case` STRING, digest STRING, version STRING, service STRING, host STRING, build STRING,"
          + " `from` STRING, `to` STRING, conclusion STRING, primarySuspect STRING,"
          + " confidence STRING, explainedShare DOUBLE, lostSeconds DOUBLE,"
          + " hypotheses ARRAY<STRUCT<id: STRING, verdict: STRING, explainedShare: DOUBLE,"
          + " confidence: STRING, action: STRING>>,"
          + " notes ARRAY<STRING>, error STRING, report STRING";

  private final FileSystem storage;
  private final Path results;
  private final Path folder;
  private final java.nio.file.Path copy;
  private final Map<String, Visited> visited = new HashMap<>();
  private int last;

  /**
   * What is kept of a folder.
   *
   * @param stamp see {@link Folder}
   * @param failed whether a case of it has no answer
   * @param marks see {@link Folder#mark}
   * @param line all of it, as it is written
   */
  private record Visited(String stamp, boolean failed, Set<String> marks, String line) {}

  private RowLog(FileSystem storage, Path results, java.nio.file.Path work) {
    this.storage = storage;
    this.results = results;
    this.folder = new Path(results, LINES);
    this.copy = work.resolve(FleetStore.FILE);
  }

  /** The line of a folder that was visited. */
  static String line(Folder folder, boolean failed, Collection<String> marks) {
    return OF_FOLDER
        + " "
        + String.join(" ", folder.stamp(), failed ? FAILED : JUDGED, String.join(",", marks))
        + " "
        + folder.address()
        + "\n";
  }

  /**
   * Copies what is there.
   *
   * @param work a local folder, for the rows as a {@link FleetStore}
   */
  static RowLog open(FileSystem storage, Path results, java.nio.file.Path work) throws IOException {
    RowLog log = new RowLog(storage, results, work);
    storage.mkdirs(log.folder);
    Files.createFile(log.copy);
    for (FileStatus file : Stream.of(storage.listStatus(log.folder)).sorted().toList()) {
      String name = file.getPath().getName();
      if (name.startsWith(UNFINISHED)) {
        storage.delete(file.getPath(), false);
        continue;
      }
      log.last = Integer.parseInt(name.replaceAll("\\D", ""));
      try (BufferedReader in =
              new BufferedReader(
                  new InputStreamReader(storage.open(file.getPath()), StandardCharsets.UTF_8));
          Writer out = Files.newBufferedWriter(log.copy, StandardOpenOption.APPEND)) {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          log.note(line, out);
        }
      }
    }
    return log;
  }

  private void note(String line, Writer out) throws IOException {
    if (line.charAt(0) != OF_FOLDER) {
      out.write(line + "\n");
      return;
    }
    String[] parts = line.split(" ", 5);
    Set<String> marks = parts[3].isEmpty() ? Set.of() : Set.of(parts[3].split(","));
    visited.put(parts[4], new Visited(parts[1], parts[2].equals(FAILED), marks, line));
  }

  /** Those with something new, or with something to try again; each knows what has a row. */
  List<Folder> missing(List<Folder> all, boolean retryFailed) {
    return all.stream()
        .filter(
            one -> {
              Visited before = visited.get(one.address());
              return before == null
                  || !before.stamp().equals(one.stamp())
                  || retryFailed && before.failed();
            })
        .map(
            one -> {
              Visited before = visited.get(one.address());
              return before == null ? one : one.knowing(before.marks());
            })
        .toList();
  }

  /** Adds lines. */
  void add(String lines) throws IOException {
    try (Writer out = Files.newBufferedWriter(copy, StandardOpenOption.APPEND)) {
      for (String line : lines.lines().toList()) {
        note(line, out);
      }
    }
    put(out -> out.write(lines));
  }

  @FunctionalInterface
  private interface Text {
    void to(Writer out) throws IOException;
  }

  /** Written beside and moved: a file of lines is whole. */
  private Path put(Text text) throws IOException {
    last++;
    Path file = new Path(folder, "%08d.jsonl".formatted(last));
    Path unfinished = new Path(folder, UNFINISHED + last);
    try (Writer out =
        new OutputStreamWriter(storage.create(unfinished, true), StandardCharsets.UTF_8)) {
      text.to(out);
    }
    move(unfinished, file);
    return file;
  }

  private void move(Path from, Path to) throws IOException {
    if (!storage.rename(from, to)) {
      throw new IOException(from + " cannot be moved to " + to);
    }
  }

  /** One row for each case, and the Parquet of them. */
  void finish(SparkSession spark, FleetStore rows) throws IOException {
    FileStatus[] before = storage.listStatus(folder);
    Path all = put(out -> write(rows, out));
    for (FileStatus file : before) {
      storage.delete(file.getPath(), false);
    }
    Path unfinished = new Path(results, UNFINISHED + PARQUET);
    Path parquet = new Path(results, PARQUET);
    spark
        .read()
        .schema(SCHEMA)
        .json(all.toString())
        .where(col("case").isNotNull())
        .withColumn(DAY, coalesce(col("from").substr(1, 10), lit(GroupBy.UNKNOWN)))
        .withColumn("from", col("from").cast("timestamp"))
        .withColumn("to", col("to").cast("timestamp"))
        .repartition(col(DAY))
        .write()
        .mode(SaveMode.Overwrite)
        .partitionBy(DAY)
        .parquet(unfinished.toString());
    storage.delete(parquet, true);
    move(unfinished, parquet);
  }

  private void write(FleetStore rows, Writer out) throws IOException {
    rows.forEach(
        (place, row) -> {
          try {
            out.write(RowJson.text(row) + "\n");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    for (Visited one : visited.values()) {
      out.write(one.line() + "\n");
    }
  }
}
