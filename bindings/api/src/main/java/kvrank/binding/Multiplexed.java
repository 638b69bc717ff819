package kvrank.binding;

import java.nio.channels.SelectableChannel;
import java.util.Optional;

/**
 * Lets one thread drive many connections, each of which is an instance.
 *
 * <p>The thread sends on all of them, {@linkplain #flush flushes}, waits until some channel is
 * readable, and receives from that instance. Meanwhile the channels are in non-blocking mode.
 */
public interface Multiplexed extends Pipelined {

  /** Sends the buffered requests. */
  void flush();

  /**
   * Returns the channel on which answers arrive. It stays the same while the connection lasts;
   * empty if no wait is needed, because the answers have arrived or the connection is lost.
   */
  Optional<SelectableChannel> channel();
}
