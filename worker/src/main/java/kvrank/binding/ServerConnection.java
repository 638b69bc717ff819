package kvrank.binding;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SelectableChannel;

/** One connection to a server, with a buffer for what is sent. */
public interface ServerConnection extends Closeable {

  /** Sends what is buffered; somebody waits for the responses from now on. */
  void flush() throws IOException;

  /** Returns where responses arrive. */
  SelectableChannel channel();
}
