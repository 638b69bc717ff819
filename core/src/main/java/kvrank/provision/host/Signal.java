package kvrank.provision.host;

import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Signals that {@link ProcessHandle} cannot send. */
public final class Signal {

  private Signal() {}

  /** Sends {@code signal}, such as {@code STOP}; returns whether each process got it. */
  public static boolean send(String signal, long... pids) throws IOException, InterruptedException {
    String all = LongStream.of(pids).mapToObj(Long::toString).collect(Collectors.joining(" "));
    return new ProcessBuilder("sh", "-c", "kill -" + signal + " " + all).start().waitFor() == 0;
  }
}
