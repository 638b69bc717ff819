package kvrank.worker;

import static java.util.Objects.requireNonNull;

import kvrank.workload.Value;
import site.ycsb.ByteIterator;

/** A value as YCSB hands it to a binding, without a copy of its own; reusable. */
final class ValueIterator extends ByteIterator {

  private final Value value;
  private int position;

  ValueIterator(Value value) {
    this.value = requireNonNull(value, "value is null");
  }

  /** Becomes the value of {@code version} of record {@code id}, unread. */
  void set(long id, long version) {
    value.set(id, version);
    position = 0;
  }

  @Override
  public boolean hasNext() {
    return position < value.size();
  }

  @Override
  public byte nextByte() {
    return value.at(position++);
  }

  @Override
  public int nextBuf(byte[] buffer, int offset) {
    int count = Math.min(buffer.length - offset, value.size() - position);
    value.copy(position, buffer, offset, count);
    position += count;
    return offset + count;
  }

  @Override
  public long bytesLeft() {
    return (long) value.size() - position;
  }

  @Override
  public void reset() {
    position = 0;
  }

  @Override
  public byte[] toArray() {
    byte[] bytes = new byte[value.size() - position];
    value.copy(position, bytes, 0, bytes.length);
    position = value.size();
    return bytes;
  }
}
