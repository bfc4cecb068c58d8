package io.gcdiag.spark;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.unix_micros;

import io.gcdiag.cli.fleet.FleetStore;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.spark.storage.StoragePath;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The rows of all cases as Parquet, a folder a day. Rows are added as new files. A file with a row
 * that was replaced is written again without it, and deleted only then: what ends the job loses no
 * row, and what it leaves twice the next job removes.
 */
final class ParquetRows {

  /** The folder of the rows in that of the results. */
  static final String FOLDER = "cases.parquet";

  /** Spark passes over names that begin so. */
  private static final String UNFINISHED = "_unfinished-";

  private static final String FILE = "file";
  private static final String CHANGED = "changed";
  private static final String NAMED = "named";
  private static final String SEMI = "left_semi";

  private final SparkSession spark;
  private final FileSystem storage;
  private final Path folder;

  /**
   * A row and the file it is in.
   *
   * @param id the name of the case
   * @param file its address
   * @param changed when the file was written, in microseconds since 1970
   */
  private record Place(String id, String file, long changed) {}

  private ParquetRows(SparkSession spark, StoragePath folder) {
    this.spark = spark;
    this.storage = folder.storage();
    this.folder = folder.hadoop();
  }

  /** Opens the rows in a folder of results, or begins them, and mends what an earlier job left. */
  static ParquetRows open(SparkSession spark, StoragePath results) throws IOException {
    ParquetRows rows = new ParquetRows(spark, (StoragePath) results.resolve(FOLDER));
    rows.storage.mkdirs(rows.folder);
    for (FileStatus left : rows.storage.globStatus(new Path(rows.folder, UNFINISHED + "*"))) {
      rows.storage.delete(left.getPath(), true);
    }
    rows.removeDoubles();
    return rows;
  }

  /** Adds all rows to others; a part of the storage at a time is in memory. */
  void copyTo(FleetStore others) throws IOException {
    if (!isEmpty()) {
      for (Iterator<Row> rows = RowColumns.plain(read()).toLocalIterator(); rows.hasNext(); ) {
        others.append(RowColumns.row(rows.next()));
      }
    }
  }

  /**
   * Adds rows, each instead of the earlier row of its case.
   *
   * @param gone cases whose rows are dropped
   */
  void file(Collection<CaseRow> rows, Set<String> gone) throws IOException {
    Set<String> replaced = new TreeSet<>(gone);
    rows.forEach(row -> replaced.add(row.key().id()));
    List<Place> earlier =
        isEmpty() ? List.of() : placed(joined(places(), RowColumns.CASE, replaced, SEMI));
    if (!rows.isEmpty()) {
      write(RowColumns.of(spark, rows));
    }
    remove(earlier);
  }

  private boolean isEmpty() throws IOException {
    return storage.listStatus(folder).length == 0;
  }

  private Dataset<Row> read() {
    return spark.read().schema(RowColumns.SCHEMA).parquet(folder.toString());
  }

  /** Names may be many: they are joined with, not written into a condition. */
  private Dataset<Row> joined(
      Dataset<Row> rows, String column, Collection<String> texts, String how) {
    Dataset<Row> named = spark.createDataset(List.copyOf(texts), Encoders.STRING()).toDF(NAMED);
    return rows.join(broadcast(named), rows.col(column).equalTo(named.col(NAMED)), how);
  }

  private Dataset<Row> places() {
    return read()
        .select(
            col(RowColumns.CASE),
            col("_metadata.file_path").as(FILE),
            unix_micros(col("_metadata.file_modification_time")).as(CHANGED));
  }

  private static List<Place> placed(Dataset<Row> places) {
    return places.collectAsList().stream()
        .map(
            row -> new Place(row.getAs(RowColumns.CASE), row.getAs(FILE), row.<Long>getAs(CHANGED)))
        .toList();
  }

  /** Keeps the last written of the rows of one case. */
  private void removeDoubles() throws IOException {
    if (isEmpty()) {
      return;
    }
    List<String> ids =
        read().groupBy(RowColumns.CASE).count().filter(col("count").gt(1)).collectAsList().stream()
            .map(row -> row.<String>getAs(RowColumns.CASE))
            .toList();
    if (ids.isEmpty()) {
      return;
    }
    Map<String, List<Place>> byId =
        placed(joined(places(), RowColumns.CASE, ids, SEMI)).stream()
            .sorted(Comparator.comparingLong(Place::changed).thenComparing(Place::file))
            .collect(Collectors.groupingBy(Place::id));
    List<Place> earlier = new ArrayList<>();
    byId.values().forEach(all -> earlier.addAll(all.subList(0, all.size() - 1)));
    remove(earlier);
  }

  private void remove(List<Place> places) throws IOException {
    Map<String, List<Place>> byFile = places.stream().collect(Collectors.groupingBy(Place::file));
    for (Map.Entry<String, List<Place>> one : byFile.entrySet()) {
      Path file = new Path(URI.create(one.getKey()));
      Dataset<Row> rows =
          spark
              .read()
              .schema(RowColumns.SCHEMA)
              .option("basePath", folder.toString())
              .parquet(file.toString());
      List<String> ids = one.getValue().stream().map(Place::id).toList();
      write(joined(rows, RowColumns.CASE, ids, "left_anti"));
      storage.delete(file, false);
    }
  }

  /** Written beside and moved: a file in a folder of a day is whole. */
  private void write(Dataset<Row> rows) throws IOException {
    Path unfinished = new Path(folder, UNFINISHED + UUID.randomUUID());
    rows.coalesce(1).write().partitionBy(RowColumns.DAY).parquet(unfinished.toString());
    for (FileStatus file : storage.globStatus(new Path(unfinished, "*/*.parquet"))) {
      Path day = new Path(folder, file.getPath().getParent().getName());
      storage.mkdirs(day);
      if (!storage.rename(file.getPath(), new Path(day, file.getPath().getName()))) {
        throw new IOException(file.getPath() + " cannot be moved to " + day);
      }
    }
    storage.delete(unfinished, true);
  }
}
