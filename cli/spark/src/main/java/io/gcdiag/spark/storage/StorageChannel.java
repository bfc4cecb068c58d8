package io.gcdiag.spark.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.apache.hadoop.fs.FSDataInputStream;

/** A file that is read at any place: only the bytes that are asked for come over the network. */
final class StorageChannel extends FileChannel {

  /** At most so much for one call. */
  private static final int MOST = 64 * 1024;

  private final FSDataInputStream in;
  private final long size;
  private long position;

  StorageChannel(FSDataInputStream in, long size) {
    this.in = in;
    this.size = size;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public int read(ByteBuffer into, long from) throws IOException {
    if (from >= size) {
      return -1;
    }
    byte[] bytes = new byte[(int) Math.min(Math.min(MOST, into.remaining()), size - from)];
    int read = bytes.length == 0 ? 0 : in.read(from, bytes, 0, bytes.length);
    if (read > 0) {
      into.put(bytes, 0, read);
    }
    return read;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    int read = read(into, position);
    position += Math.max(0, read);
    return read;
  }

  @Override
  public long read(ByteBuffer[] into, int offset, int length) throws IOException {
    long all = 0;
    for (int i = offset; i < offset + length; i++) {
      while (into[i].hasRemaining()) {
        int read = read(into[i]);
        if (read < 0) {
          return all == 0 ? -1 : all;
        }
        all += read;
      }
    }
    return all;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public FileChannel position(long place) {
    position = place;
    return this;
  }

  @Override
  public long transferTo(long from, long count, WritableByteChannel target) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(MOST, count));
    if (read(buffer, from) <= 0) {
      return 0;
    }
    return target.write(buffer.flip());
  }

  @Override
  protected void implCloseChannel() throws IOException {
    in.close();
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long from, long length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileLock lock(long from, long length, boolean shared) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileLock tryLock(long from, long length, boolean shared) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void force(boolean metaData) {
    throw new NonWritableChannelException();
  }

  @Override
  public FileChannel truncate(long length) {
    throw new NonWritableChannelException();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long from, long count) {
    throw new NonWritableChannelException();
  }

  @Override
  public int write(ByteBuffer bytes) {
    throw new NonWritableChannelException();
  }

  @Override
  public int write(ByteBuffer bytes, long from) {
    throw new NonWritableChannelException();
  }

  @Override
  public long write(ByteBuffer[] bytes, int offset, int length) {
    throw new NonWritableChannelException();
  }
}
