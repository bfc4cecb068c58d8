package io.gcdiag.spark.storage;

import java.net.URI;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One file system of Hadoop. The arithmetic of names is that of the local file system. */
final class StorageFileSystem extends FileSystem {

  private final org.apache.hadoop.fs.FileSystem hadoop;
  private final URI uri;
  private final StorageProvider provider = new StorageProvider(this);

  StorageFileSystem(org.apache.hadoop.fs.FileSystem hadoop) {
    this.hadoop = hadoop;
    this.uri = hadoop.getUri();
  }

  org.apache.hadoop.fs.FileSystem hadoop() {
    return hadoop;
  }

  /** Scheme and authority. */
  URI uri() {
    return uri;
  }

  StoragePath path(org.apache.hadoop.fs.Path qualified) {
    return path(Path.of(qualified.toUri().getPath()));
  }

  StoragePath path(Path names) {
    return new StoragePath(this, names, Optional.empty());
  }

  @Override
  public Path getPath(String first, String... more) {
    return path(Path.of(first, more));
  }

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  /** Hadoop shares its connections and closes them when the process ends. */
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public boolean isReadOnly() {
    return true;
  }

  @Override
  public String getSeparator() {
    return org.apache.hadoop.fs.Path.SEPARATOR;
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return List.of(getPath(getSeparator()));
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return List.of();
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return Set.of("basic");
  }

  @Override
  public PathMatcher getPathMatcher(String pattern) {
    PathMatcher names = FileSystems.getDefault().getPathMatcher(pattern);
    return path -> path instanceof StoragePath own && names.matches(own.names());
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    throw new UnsupportedOperationException();
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException();
  }
}
