package kvrank.stats;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import kvrank.fact.Fact;
import kvrank.metric.Latency;
import kvrank.metric.Measured;
import kvrank.metric.Usage;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.Resources;
import kvrank.results.RunRecord;

/** One completed phase of one repetition, or one of its operations. */
public record Sample(RunRecord run, PhaseRecord phase, Optional<String> operation)
    implements Measured {

  /** Returns the figure of the operation, or the sum over all; NaN without the operation. */
  private double sum(ToDoubleFunction<OperationRecord> figure) {
    if (operation.isEmpty()) {
      return phase.sum(figure);
    }
    OperationRecord record = phase.operations().get(operation.get());
    return record == null ? Double.NaN : figure.applyAsDouble(record);
  }

  @Override
  public boolean load() {
    return operation.isEmpty() && phase.load();
  }

  @Override
  public boolean withinTransaction() {
    return operation.filter(phase::withinTransaction).isPresent();
  }

  @Override
  public double seconds() {
    return phase.elapsedNanos() / 1e9;
  }

  @Override
  public boolean fixedTime() {
    return phase.fixedTime();
  }

  @Override
  public double ok() {
    return sum(OperationRecord::ok);
  }

  @Override
  public double notFound() {
    return sum(OperationRecord::notFound);
  }

  @Override
  public double errors() {
    return sum(OperationRecord::errorTotal);
  }

  @Override
  public double throughput() {
    return sum(OperationRecord::throughput);
  }

  @Override
  public Optional<Latency> latency() {
    return operation
        .map(label -> phase.operations().get(label))
        .flatMap(OperationRecord::latencyNanos);
  }

  /** Returns whether the engine of {@code run} is in the worker's process. */
  public static boolean embedded(RunRecord run) {
    return run.facts().text(Fact.WAY).equals("embedded");
  }

  @Override
  public boolean embedded() {
    return embedded(run);
  }

  @Override
  public double engine(ToDoubleFunction<Usage> figure) {
    Optional<Usage> server = phase.resources().flatMap(Resources::server);
    Optional<Usage> client = phase.resources().flatMap(Resources::client);
    Optional<Usage> engine = embedded() ? client.or(() -> server) : server;
    return engine.map(figure::applyAsDouble).orElse(Double.NaN);
  }

  @Override
  public double clientCpuSeconds() {
    if (embedded()) {
      return Double.NaN;
    }
    // Processes on other machines are not visible from here. They report their CPU time.
    return phase
        .resources()
        .flatMap(Resources::client)
        .map(Usage::cpuSeconds)
        .orElseGet(() -> fact(Fact.CLIENT_CPU_SECONDS));
  }

  @Override
  public double footprintBytes() {
    OptionalLong bytes =
        phase.resources().map(Resources::footprintBytes).orElse(OptionalLong.empty());
    return bytes.isPresent() ? bytes.getAsLong() : Double.NaN;
  }

  @Override
  public double deviceReadBytes() {
    return device(Resources.Traffic::readBytes);
  }

  @Override
  public double deviceWrittenBytes() {
    return device(Resources.Traffic::writtenBytes);
  }

  private double device(ToLongFunction<Resources.Traffic> bytes) {
    return phase
        .resources()
        .flatMap(Resources::device)
        .map(traffic -> (double) bytes.applyAsLong(traffic))
        .orElse(Double.NaN);
  }

  @Override
  public double fact(Fact fact) {
    return phase.facts().number(fact);
  }

  @Override
  public double runFact(Fact fact) {
    return run.facts().number(fact);
  }

  @Override
  public List<Sample> operations() {
    return phase.operations().keySet().stream()
        .map(label -> new Sample(run, phase, Optional.of(label)))
        .toList();
  }

  @Override
  public List<Sample> phases() {
    return run.phases().stream()
            .allMatch(runPhase -> runPhase.outcome() instanceof Outcome.Completed)
        ? run.phases().stream()
            .map(runPhase -> new Sample(run, runPhase, Optional.empty()))
            .toList()
        : List.of();
  }
}
