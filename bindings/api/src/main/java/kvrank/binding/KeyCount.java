package kvrank.binding;

import java.io.IOException;

/** What a {@link site.ycsb.DB} offers whose server may hold keys of others. */
public interface KeyCount {

  /**
   * Returns how many keys the server holds, in all of its databases and of every type; of a server
   * that does not count, how many a first look finds.
   *
   * @throws IOException if the server does not say
   */
  long keyCount() throws IOException;

  /**
   * Returns by which rule the server gives up keys, those of others as well, where its memory is
   * full; empty if it does not.
   *
   * @throws IOException if the server does not say
   */
  default String eviction() throws IOException {
    return "";
  }
}
