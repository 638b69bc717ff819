package kvrank.benchmarks.table;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One row of the comparison.
 *
 * @param name the argument that selects it
 * @param what the measured quantity with its unit
 * @param peer the tool that kvrank is compared with; may be empty
 * @param bar the required result
 * @param missing the missing software, and how to install it
 * @param opening sets the stage, in a folder that it may use
 */
public record PeerBenchmark(
    String name, String what, String peer, Bar bar, Optional<String> missing, Opening opening) {

  public PeerBenchmark {
    requireNonNull(name, "name is null");
    requireNonNull(what, "what is null");
    requireNonNull(peer, "peer is null");
    requireNonNull(bar, "bar is null");
    requireNonNull(missing, "missing is null");
    requireNonNull(opening, "opening is null");
  }

  /** The same row with kvrank of another build instead of the peer, so without a bar. */
  public PeerBenchmark against(PeerBenchmark other, String label) {
    return new PeerBenchmark(
        name,
        what,
        label,
        Bar.NONE,
        missing,
        folder -> Builds.open(folder, opening, other.opening));
  }

  /** Makes ready what both sides need. */
  public interface Opening {
    Stage open(Path folder) throws IOException, InterruptedException;
  }

  /** Measures one value. */
  public interface Measure {
    double value() throws IOException, InterruptedException;
  }

  /** Both sides, to be measured in turn. */
  public interface Stage extends AutoCloseable {

    /** Returns a stage without a peer. */
    static Stage of(Measure kvrank) {
      return of(kvrank, Optional.empty());
    }

    static Stage of(Measure kvrank, Measure peer) {
      return of(kvrank, Optional.of(peer));
    }

    private static Stage of(Measure kvrank, Optional<Measure> peer) {
      return new Stage() {
        @Override
        public Figure kvrank() throws IOException, InterruptedException {
          return Figure.of(kvrank.value());
        }

        @Override
        public Optional<Figure> peer() throws IOException, InterruptedException {
          return peer.isPresent() ? Optional.of(Figure.of(peer.get().value())) : Optional.empty();
        }
      };
    }

    /** Measures kvrank. */
    Figure kvrank() throws IOException, InterruptedException;

    /** Measures the peer; nothing if there is none. */
    Optional<Figure> peer() throws IOException, InterruptedException;

    /** The CPU time of a server that both use, in ticks since it began. */
    default long serverTicks() throws IOException {
      return 0;
    }

    @Override
    default void close() throws IOException {}
  }
}
