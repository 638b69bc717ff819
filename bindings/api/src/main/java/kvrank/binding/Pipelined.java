package kvrank.binding;

import site.ycsb.Status;

/**
 * Several requests in flight on one connection. A {@link site.ycsb.DB} implements this if its
 * engine has the capability {@code pipeline}, and answers requests in order.
 *
 * <p>Each {@code send…} adds one request, which may stay in a buffer until the next {@link
 * #receive}. While requests are in flight, kvrank calls no other method of the binding. A failure
 * of the engine is a status, never an exception: {@code receive} returns an error for a request
 * that could not be sent.
 */
public interface Pipelined {

  /** Sends a {@linkplain KeyValueStore#read read}. */
  void sendRead(byte[] key);

  /** Sends an {@linkplain KeyValueStore#insert insert}. {@code value} is copied. */
  void sendInsert(byte[] key, ByteSource value);

  /** Sends an {@linkplain KeyValueStore#update update}. {@code value} is copied. */
  void sendUpdate(byte[] key, ByteSource value);

  /** Sends a {@linkplain KeyValueStore#delete delete}. */
  void sendDelete(byte[] key);

  /**
   * Waits for the answer to the oldest request in flight.
   *
   * @param value receives the value if the request was a read; otherwise unchanged
   * @throws IllegalStateException if no request is in flight
   */
  Status receive(ValueBuffer value);
}
