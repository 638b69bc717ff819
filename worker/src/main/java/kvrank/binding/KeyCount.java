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
}
