package kvrank.binding;

import java.util.Map;
import java.util.Set;
import site.ycsb.ByteIterator;
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

  /** {@link site.ycsb.DB#read}, to be answered later. */
  void sendRead(String table, String key, Set<String> fields);

  /** {@link site.ycsb.DB#insert}, to be answered later. {@code values} is not kept. */
  void sendInsert(String table, String key, Map<String, ByteIterator> values);

  /** {@link site.ycsb.DB#update}, to be answered later. {@code values} is not kept. */
  void sendUpdate(String table, String key, Map<String, ByteIterator> values);

  /** {@link site.ycsb.DB#delete}, to be answered later. */
  void sendDelete(String table, String key);

  /**
   * Waits for the answer to the oldest request that is in flight.
   *
   * @param result where a record goes if the request was a read; not touched otherwise
   * @throws IllegalStateException if no request is in flight
   */
  Status receive(Map<String, ByteIterator> result);
}
