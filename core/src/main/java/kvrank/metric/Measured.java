package kvrank.metric;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import kvrank.fact.Fact;

/**
 * The measurements of a run, a phase or an operation from which metrics are computed. Unknown
 * values are NaN or empty.
 */
public interface Measured {

  /** Returns whether this is the load as a whole. */
  default boolean load() {
    return false;
  }

  /** Returns whether this is an operation within transactions, which contain its latency. */
  default boolean withinTransaction() {
    return false;
  }

  /** Returns the measured time of the phase. */
  default double seconds() {
    return Double.NaN;
  }

  /** Returns whether the scenario set that time, so that it says nothing about the engine. */
  default boolean fixedTime() {
    return false;
  }

  /** Returns the records that were acknowledged and, for reads, found. */
  default double ok() {
    return Double.NaN;
  }

  /** Returns the records that the engine reported as missing. */
  default double notFound() {
    return Double.NaN;
  }

  /** Returns the records that failed. */
  default double errors() {
    return Double.NaN;
  }

  /** Returns the successful records per second. */
  default double throughput() {
    return Double.NaN;
  }

  default Optional<Latency> latency() {
    return Optional.empty();
  }

  /** Returns whether the engine runs in the client's process. */
  default boolean embedded() {
    return false;
  }

  /** Returns a figure of the engine's process: the server's, or the client's if embedded. */
  default double engine(ToDoubleFunction<Usage> figure) {
    return Double.NaN;
  }

  /** Returns the CPU seconds of the client on all machines, if the engine is not embedded. */
  default double clientCpuSeconds() {
    return Double.NaN;
  }

  /** Returns the size of the allocated blocks of the data directory at the end. */
  default double footprintBytes() {
    return Double.NaN;
  }

  /** Returns the bytes that all processes read from the block device. */
  default double deviceReadBytes() {
    return Double.NaN;
  }

  /** Returns the bytes that all processes wrote to the block device. */
  default double deviceWrittenBytes() {
    return Double.NaN;
  }

  /** Returns a numeric fact of the phase. */
  default double fact(Fact fact) {
    return Double.NaN;
  }

  /** Returns a numeric fact of the run. */
  default double runFact(Fact fact) {
    return Double.NaN;
  }

  default List<? extends Measured> operations() {
    return List.of();
  }

  /** Returns the phases of the run; none unless all were completed. */
  default List<? extends Measured> phases() {
    return List.of();
  }
}
