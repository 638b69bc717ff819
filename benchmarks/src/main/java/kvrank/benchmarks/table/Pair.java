package kvrank.benchmarks.table;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * Both sides, measured one after the other.
 *
 * @param noise the share of the machine that other processes used meanwhile, the greater of the two
 */
public record Pair(Figure kvrank, Optional<Figure> peer, double noise) {

  public Pair {
    requireNonNull(kvrank, "kvrank is null");
    requireNonNull(peer, "peer is null");
  }

  /** kvrank's value over the peer's; NaN without a peer. */
  double ratio() {
    return peer.isEmpty() ? Double.NaN : kvrank.value() / peer.get().value();
  }
}
