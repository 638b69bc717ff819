package kvrank.stats;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import kvrank.metric.Measured;
import kvrank.metric.ProcessUsage;
import kvrank.results.Latency;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.Resources;
import kvrank.results.RunRecord;
import kvrank.results.Usage;

/**
 * One completed phase of one repetition, or one operation of it.
 *
 * @param operation the operation's label; empty for the phase as a whole
 */
public record Sample(RunRecord run, PhaseRecord phase, Optional<String> operation)
    implements Measured {

  /** The fact of a run that says how its engine was had. */
  static final String WAY = "way";

  /** The operation; all of the phase for the phase as a whole; none if it did not occur. */
  private Collection<OperationRecord> records() {
    return operation
        .map(label -> Optional.ofNullable(phase.operations().get(label)).stream().toList())
        .map(found -> (Collection<OperationRecord>) found)
        .orElseGet(() -> phase.operations().values());
  }

  private double sum(ToDoubleFunction<OperationRecord> figure) {
    Collection<OperationRecord> records = records();
    return operation.isPresent() && records.isEmpty()
        ? Double.NaN
        : records.stream().mapToDouble(figure).sum();
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
    return "embedded".equals(run.facts().get(WAY));
  }

  @Override
  public boolean embedded() {
    return embedded(run);
  }

  @Override
  public double engine(ToDoubleFunction<? super ProcessUsage> figure) {
    return of(
        phase
            .resources()
            .flatMap(used -> embedded() ? used.client().or(used::server) : used.server()),
        figure);
  }

  @Override
  public double client(ToDoubleFunction<? super ProcessUsage> figure) {
    return embedded() ? Double.NaN : of(phase.resources().flatMap(Resources::client), figure);
  }

  private static double of(Optional<Usage> usage, ToDoubleFunction<? super ProcessUsage> figure) {
    return usage.map(figure::applyAsDouble).orElse(Double.NaN);
  }

  @Override
  public double footprintBytes() {
    return phase
        .resources()
        .filter(used -> used.footprintBytes().isPresent())
        .map(used -> (double) used.footprintBytes().getAsLong())
        .orElse(Double.NaN);
  }

  @Override
  public double deviceWrittenBytes() {
    return phase
        .resources()
        .flatMap(Resources::device)
        .map(device -> (double) device.writtenBytes())
        .orElse(Double.NaN);
  }

  @Override
  public double fact(String name) {
    return number(phase.facts(), name);
  }

  @Override
  public double runFact(String name) {
    return number(run.facts(), name);
  }

  /** Returns a fact as a number; NaN if it is missing. */
  public static double number(Map<String, String> facts, String name) {
    String text = facts.get(name);
    return text == null ? Double.NaN : Double.parseDouble(text);
  }

  @Override
  public List<Sample> operations() {
    return phase.operations().keySet().stream()
        .map(label -> new Sample(run, phase, Optional.of(label)))
        .toList();
  }

  @Override
  public List<Sample> phases() {
    return run.phases().stream().allMatch(each -> each.outcome() instanceof Outcome.Completed)
        ? run.phases().stream().map(each -> new Sample(run, each, Optional.empty())).toList()
        : List.of();
  }
}
