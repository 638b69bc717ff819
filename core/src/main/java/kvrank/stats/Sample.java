package kvrank.stats;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;
import kvrank.metric.Latency;
import kvrank.metric.Measured;
import kvrank.metric.Usage;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.Resources;
import kvrank.results.RunRecord;

/** One completed phase of one repetition as a whole, or one operation of it. */
public record Sample(RunRecord run, PhaseRecord phase, Optional<String> operation)
    implements Measured {

  /** The figure of the operation, or the sum of all; NaN if the operation did not occur. */
  private double sum(ToDoubleFunction<OperationRecord> figure) {
    if (operation.isEmpty()) {
      return phase.operations().values().stream().mapToDouble(figure).sum();
    }
    OperationRecord record = phase.operations().get(operation.get());
    return record == null ? Double.NaN : figure.applyAsDouble(record);
  }

  @Override
  public boolean load() {
    return operation.isEmpty() && phase.load();
  }

  @Override
  public double seconds() {
    return phase.elapsedNanos() / 1e9;
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

  /** Whether the engine of {@code run} lives in the worker's process. */
  public static boolean embedded(RunRecord run) {
    return "embedded".equals(run.facts().get("way"));
  }

  @Override
  public boolean embedded() {
    return embedded(run);
  }

  @Override
  public double engine(ToDoubleFunction<Usage> figure) {
    Optional<Usage> server = phase.resources().flatMap(Resources::server);
    Optional<Usage> client = phase.resources().flatMap(Resources::client);
    return of(embedded() ? client.or(() -> server) : server, figure);
  }

  @Override
  public double clientCpuSeconds() {
    if (embedded()) {
      return Double.NaN;
    }
    // Processes of other machines are not seen from here, and say it themselves.
    return phase
        .resources()
        .flatMap(Resources::client)
        .map(Usage::cpuSeconds)
        .orElseGet(() -> fact("client.cpuSeconds"));
  }

  private static double of(Optional<Usage> usage, ToDoubleFunction<Usage> figure) {
    return usage.map(figure::applyAsDouble).orElse(Double.NaN);
  }

  @Override
  public double footprintBytes() {
    OptionalLong bytes =
        phase.resources().map(Resources::footprintBytes).orElse(OptionalLong.empty());
    return bytes.isPresent() ? bytes.getAsLong() : Double.NaN;
  }

  @Override
  public double deviceWrittenBytes() {
    Optional<Resources.Traffic> device = phase.resources().flatMap(Resources::device);
    return device.map(traffic -> (double) traffic.writtenBytes()).orElse(Double.NaN);
  }

  @Override
  public double fact(String name) {
    return number(phase.facts(), name);
  }

  @Override
  public double runFact(String name) {
    return number(run.facts(), name);
  }

  /** Returns a fact as a number; NaN if it is missing or none, as an engine may say anything. */
  public static double number(Map<String, String> facts, String name) {
    String text = facts.get(name);
    try {
      return text == null ? Double.NaN : Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
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
