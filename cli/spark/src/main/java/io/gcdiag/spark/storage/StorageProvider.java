package io.gcdiag.spark.storage;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FutureDataInputStreamBuilder;

/** Lists folders and reads files; writes nothing. */
final class StorageProvider extends FileSystemProvider {

  private final StorageFileSystem files;

  StorageProvider(StorageFileSystem files) {
    this.files = files;
  }

  @Override
  public String getScheme() {
    return files.uri().getScheme();
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    return files;
  }

  @Override
  public Path getPath(URI uri) {
    return files.path(new org.apache.hadoop.fs.Path(uri));
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return newFileChannel(path, options, attributes);
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    FileStatus status = status(path);
    if (status.isDirectory()) {
      throw new IOException(path + " is a folder");
    }
    return new StorageChannel(open(path, status), status.getLen());
  }

  /** With its status known, an object store is not asked for it again. */
  private FSDataInputStream open(Path path, FileStatus status) throws IOException {
    FutureDataInputStreamBuilder builder = files.hadoop().openFile(((StoragePath) path).hadoop());
    try {
      return builder.withFileStatus(status).build().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    }
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path folder, DirectoryStream.Filter<? super Path> filter) throws IOException {
    List<Path> inside = new ArrayList<>();
    for (FileStatus status : files.hadoop().listStatus(((StoragePath) folder).hadoop())) {
      Path names = ((StoragePath) folder).names().resolve(status.getPath().getName());
      Path path = new StoragePath(files, names, Optional.of(status));
      if (filter.accept(path)) {
        inside.add(path);
      }
    }
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        return inside.iterator();
      }

      @Override
      public void close() {
        // The list is complete.
      }
    };
  }

  private FileStatus status(Path path) throws IOException {
    StoragePath own = (StoragePath) path;
    if (own.listed().isPresent()) {
      return own.listed().get();
    }
    try {
      return files.hadoop().getFileStatus(own.hadoop());
    } catch (FileNotFoundException e) {
      NoSuchFileException none = new NoSuchFileException(path.toString());
      none.initCause(e);
      throw none;
    }
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    status(path);
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    if (!type.equals(BasicFileAttributes.class)) {
      throw new UnsupportedOperationException();
    }
    return type.cast(new StorageAttributes(status(path)));
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String names, LinkOption... options) {
    throw new UnsupportedOperationException();
  }

  /** Java asks for none where a kind of view is not known. */
  @Override
  public <V extends FileAttributeView> V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return null;
  }

  @Override
  public boolean isSameFile(Path one, Path other) {
    return one.equals(other);
  }

  @Override
  public boolean isHidden(Path path) {
    return String.valueOf(path.getFileName()).startsWith(".");
  }

  @Override
  public FileStore getFileStore(Path path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void createDirectory(Path folder, FileAttribute<?>... attributes) {
    throw new ReadOnlyFileSystemException();
  }

  @Override
  public void delete(Path path) {
    throw new ReadOnlyFileSystemException();
  }

  @Override
  public void copy(Path from, Path to, CopyOption... options) {
    throw new ReadOnlyFileSystemException();
  }

  @Override
  public void move(Path from, Path to, CopyOption... options) {
    throw new ReadOnlyFileSystemException();
  }

  @Override
  public void setAttribute(Path path, String name, Object value, LinkOption... options) {
    throw new ReadOnlyFileSystemException();
  }
}
