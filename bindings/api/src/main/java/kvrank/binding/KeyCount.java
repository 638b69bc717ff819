package kvrank.binding;

import java.io.IOException;

/** Implemented by a {@link site.ycsb.DB} whose server may hold keys that kvrank did not write. */
public interface KeyCount {

  /**
   * Returns the number of keys of the server, in all databases and of every type. If the server has
   * no count, a lower bound is enough: kvrank asks whether it is empty.
   *
   * @throws IOException if the server does not answer the question
   */
  long keyCount() throws IOException;

  /**
   * Returns the name of the server's eviction policy, such as {@code allkeys-lru}; empty if it
   * evicts nothing.
   *
   * @throws IOException if the server does not answer the question
   */
  default String eviction() throws IOException {
    return "";
  }
}
