package io.gcdiag.spark.storage;

import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;

/** A path in a file system of Hadoop. One from a listing keeps what the listing said of it. */
public final class StoragePath implements Path {

  private final StorageFileSystem files;
  private final Path names;
  private final Optional<FileStatus> listed;

  StoragePath(StorageFileSystem files, Path names, Optional<FileStatus> listed) {
    this.files = files;
    this.names = names;
    this.listed = listed;
  }

  Path names() {
    return names;
  }

  /** What a listing said; absent for a path that came about otherwise. */
  Optional<FileStatus> listed() {
    return listed;
  }

  /** The same for Hadoop. */
  public org.apache.hadoop.fs.Path hadoop() {
    URI uri = files.uri();
    return new org.apache.hadoop.fs.Path(uri.getScheme(), uri.getAuthority(), names.toString());
  }

  /** Where it is. */
  public org.apache.hadoop.fs.FileSystem storage() {
    return files.hadoop();
  }

  private StoragePath with(Path other) {
    return files.path(other);
  }

  /** Java's paths have none where there is no answer. */
  private Path orNone(Path other) {
    return other == null ? null : with(other);
  }

  private Path namesOf(Path other) {
    if (other instanceof StoragePath own && own.files.equals(files)) {
      return own.names;
    }
    throw new ProviderMismatchException();
  }

  private boolean isOther(Path other) {
    return !(other instanceof StoragePath own && own.files.equals(files));
  }

  @Override
  public FileSystem getFileSystem() {
    return files;
  }

  @Override
  public boolean isAbsolute() {
    return names.isAbsolute();
  }

  @Override
  public Path getRoot() {
    return orNone(names.getRoot());
  }

  @Override
  public Path getFileName() {
    return orNone(names.getFileName());
  }

  @Override
  public Path getParent() {
    return orNone(names.getParent());
  }

  @Override
  public int getNameCount() {
    return names.getNameCount();
  }

  @Override
  public Path getName(int index) {
    return with(names.getName(index));
  }

  @Override
  public Path subpath(int from, int to) {
    return with(names.subpath(from, to));
  }

  @Override
  public boolean startsWith(Path other) {
    return !isOther(other) && names.startsWith(namesOf(other));
  }

  @Override
  public boolean endsWith(Path other) {
    return !isOther(other) && names.endsWith(namesOf(other));
  }

  @Override
  public Path normalize() {
    return with(names.normalize());
  }

  @Override
  public Path resolve(Path other) {
    return with(names.resolve(namesOf(other)));
  }

  @Override
  public Path relativize(Path other) {
    return with(names.relativize(namesOf(other)));
  }

  @Override
  public URI toUri() {
    return hadoop().toUri();
  }

  @Override
  public Path toAbsolutePath() {
    return this;
  }

  /** Hadoop follows links itself. */
  @Override
  public Path toRealPath(LinkOption... options) {
    return normalize();
  }

  @Override
  public WatchKey register(
      WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int compareTo(Path other) {
    StoragePath own = (StoragePath) other;
    int systems = files.uri().compareTo(own.files.uri());
    return systems != 0 ? systems : names.compareTo(own.names);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StoragePath own && own.files.equals(files) && own.names.equals(names);
  }

  @Override
  public int hashCode() {
    return names.hashCode();
  }

  /** With scheme and authority if it is absolute: it stands for the file in any process. */
  @Override
  public String toString() {
    return isAbsolute() ? hadoop().toString() : names.toString();
  }
}
