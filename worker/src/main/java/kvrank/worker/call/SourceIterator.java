package kvrank.worker.call;

import kvrank.binding.ByteSource;
import site.ycsb.ByteIterator;

/** A value as a YCSB binding receives it. */
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

  /** Spares the most common way to read a value a copy. */
  @Override
  public byte[] toArray() {
    if (position > 0) {
      return super.toArray();
    }
    position = source.size();
    return source.toByteArray();
  }
}
