package kvrank.metric;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import kvrank.fact.Fact;

/**
 * What was measured of one phase of one run, or of one operation of it: all that a metric is
 * computed from. What is not known is NaN or empty.
 */
public interface Measured {

  /** Whether this is the load as a whole. */
  default boolean load() {
    return false;
  }

  /** The measured time of the phase. */
  default double seconds() {
    return Double.NaN;
  }

  /** Records that were acknowledged and, for reads, found. */
  default double ok() {
    return Double.NaN;
  }

  /** Records that were answered to be missing. */
  default double notFound() {
    return Double.NaN;
  }

  /** Records that failed. */
  default double errors() {
    return Double.NaN;
  }

  /** OK records per second. */
  default double throughput() {
    return Double.NaN;
  }

  default Optional<Latency> latency() {
    return Optional.empty();
  }

  /** Whether the engine is part of the client's process. */
  default boolean embedded() {
    return false;
  }

  /** A figure of the process that holds the engine: the server's, or the client's if embedded. */
  default double engine(ToDoubleFunction<Usage> figure) {
    return Double.NaN;
  }

  /** CPU seconds of the client, on however many machines, if it holds no engine. */
  default double clientCpuSeconds() {
    return Double.NaN;
  }

  /** Allocated blocks of the data directory at the end. */
  default double footprintBytes() {
    return Double.NaN;
  }

  /** Bytes that were written to the block device by any process. */
  default double deviceWrittenBytes() {
    return Double.NaN;
  }

  /** A fact of the phase that is a number. */
  default double fact(Fact fact) {
    return Double.NaN;
  }

  /** A fact of the run that is a number. */
  default double runFact(Fact fact) {
    return Double.NaN;
  }

  /** The operations of the phase. */
  default List<? extends Measured> operations() {
    return List.of();
  }

  /** The phases of the run; none unless all were completed. */
  default List<? extends Measured> phases() {
    return List.of();
  }
}
