package io.gcdiag.spark.storage;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The file systems that a configuration of Hadoop gives access to. */
public final class Storage {

  private final Configuration configuration;
  private final Map<FileSystem, StorageFileSystem> known = new HashMap<>();

  /** Connects to none yet. */
  public Storage(Configuration configuration) {
    this.configuration = configuration;
  }

  /**
   * What a text names, such as {@code hdfs://names:8020/recordings}; without a scheme, in the
   * default file system.
   */
  public StoragePath path(String text) throws IOException {
    Path named = new Path(text);
    FileSystem hadoop = named.getFileSystem(configuration);
    StorageFileSystem files = known.computeIfAbsent(hadoop, StorageFileSystem::new);
    return files.path(hadoop.makeQualified(named));
  }
}
