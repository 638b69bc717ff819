package kvrank.worker.call;

import kvrank.binding.ByteSource;
import site.ycsb.ByteIterator;

/** A value as YCSB hands it to a binding. */
final class SourceIterator extends ByteIterator {

  private final ByteSource source;
  private byte[] bytes;
  private int position;

  SourceIterator(ByteSource source) {
    this.source = source;
  }

  @Override
  public boolean hasNext() {
    return position < source.size();
  }

  @Override
  public byte nextByte() {
    if (bytes == null) {
      bytes = source.toByteArray();
    }
    return bytes[position++];
  }

  @Override
  public long bytesLeft() {
    return (long) source.size() - position;
  }

  @Override
  public void reset() {
    position = 0;
  }

  /** The most common way to take a value, without a copy of the copy. */
  @Override
  public byte[] toArray() {
    if (position > 0) {
      return super.toArray();
    }
    position = source.size();
    return source.toByteArray();
  }
}
