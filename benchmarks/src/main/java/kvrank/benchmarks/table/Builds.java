package kvrank.benchmarks.table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import kvrank.benchmarks.table.PeerBenchmark.Stage;

/**
 * The stages of two builds of kvrank, of which only kvrank's own sides are measured.
 *
 * @param one this build's
 * @param other the other build's
 */
record Builds(Stage one, Stage other) implements Stage {

  static Stage open(Path folder, PeerBenchmark.Opening one, PeerBenchmark.Opening other)
      throws IOException, InterruptedException {
    Stage first = one.open(folder.resolve("this"));
    try {
      return new Builds(first, other.open(folder.resolve("other")));
    } catch (IOException | InterruptedException | RuntimeException e) {
      first.close();
      throw e;
    }
  }

  @Override
  public Figure kvrank() throws IOException, InterruptedException {
    return one.kvrank();
  }

  @Override
  public Optional<Figure> peer() throws IOException, InterruptedException {
    return Optional.of(other.kvrank());
  }

  @Override
  public long serverTicks() throws IOException {
    return one.serverTicks() + other.serverTicks();
  }

  @Override
  public void close() throws IOException {
    try {
      other.close();
    } finally {
      one.close();
    }
  }
}
