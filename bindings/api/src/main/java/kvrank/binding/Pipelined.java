package kvrank.binding;

import site.ycsb.Status;

/**
 * Several requests in flight on one connection, for a {@link site.ycsb.DB} whose engine answers
 * them in order.
 *
 * <p>Each {@code send…} adds one request; {@link #receive} takes the answer to the oldest one.
 * Requests may wait in a buffer until the next {@code receive}. While requests are in flight, no
 * other method of the binding is called. No method throws because of the engine: a request that
 * could not be sent is answered with an error.
 */
public interface Pipelined {

  /** {@link KeyValueStore#read}, to be answered later. */
  void sendRead(byte[] key);

  /** {@link KeyValueStore#insert}, to be answered later. {@code value} is not kept. */
  void sendInsert(byte[] key, ByteSource value);

  /** {@link KeyValueStore#update}, to be answered later. {@code value} is not kept. */
  void sendUpdate(byte[] key, ByteSource value);

  /** {@link KeyValueStore#delete}, to be answered later. */
  void sendDelete(byte[] key);

  /**
   * Waits for the answer to the oldest request that is in flight.
   *
   * @param value where a value goes if the request was a read; not touched otherwise
   * @throws IllegalStateException if no request is in flight
   */
  Status receive(ValueBuffer value);
}
