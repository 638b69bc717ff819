package kvrank.binding;

import java.nio.channels.SelectableChannel;
import java.util.Optional;

/**
 * Requests on many connections, awaited by one thread.
 *
 * <p>Each instance is one connection. The thread sends on all of them, {@link #flush flushes}, and
 * receives from whichever has something to read. While it does so, the channels do not block.
 */
public interface Multiplexed extends Pipelined {

  /** Sends what waits in the buffer. */
  void flush();

  /**
   * Where answers to what is in flight arrive.
   *
   * @return the channel, the same as long as the connection is; empty if there is nothing to wait
   *     for, since the answers are there already or the connection is lost
   */
  Optional<SelectableChannel> channel();
}
