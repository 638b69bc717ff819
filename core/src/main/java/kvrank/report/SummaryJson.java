package kvrank.report;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import kvrank.results.Crash;
import kvrank.results.CrashTest;
import kvrank.results.Durability;
import kvrank.results.Latency;
import kvrank.results.LostWrites;
import kvrank.results.Manifest;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.Resources;
import kvrank.results.Results;
import kvrank.results.RunRecord;
import kvrank.results.Usage;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code summary.json}: one object per run, phase and operation, and one per kill test. */
final class SummaryJson {

  /** The version of this format, {@code major.minor}. */
  static final String SCHEMA = "1.2";

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private SummaryJson() {}

  static String of(Results results) {
    Manifest manifest = results.manifest();
    ObjectNode root = NODES.objectNode();
    root.put("schema", SCHEMA);
    root.put("scenario", manifest.scenario());
    root.put("question", manifest.question());
    root.put("medium", manifest.medium());
    root.put("repetitions", manifest.repetitions());
    root.put("seed", manifest.seed());
    ArrayNode unreadable = root.putArray("unreadable");
    results.unreadable().forEach(unreadable::add);
    ArrayNode measurements = root.putArray("measurements");
    for (Results execution : results.executions()) {
      for (RunRecord run : execution.runs()) {
        add(measurements, execution, run);
      }
    }
    ArrayNode killTests = root.putArray("killTests");
    for (Results execution : results.executions()) {
      for (RunRecord run : execution.runs()) {
        run.killTest().ifPresent(test -> killTests.add(killTest(execution, run, test)));
      }
    }
    return JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(root)
        + "\n";
  }

  private static void add(ArrayNode measurements, Results execution, RunRecord run) {
    for (String name : execution.manifest().phases()) {
      Optional<PhaseRecord> phase =
          run.phases().stream().filter(each -> each.name().equals(name)).findFirst();
      if (phase.isEmpty() || phase.get().operations().isEmpty()) {
        measurements.add(measurement(execution, run, name, phase, Optional.empty()));
      } else {
        for (Map.Entry<String, OperationRecord> each : phase.get().operations().entrySet()) {
          measurements.add(measurement(execution, run, name, phase, Optional.of(each)));
        }
      }
    }
  }

  /** A phase that was not reached has the outcome of its run, and no measured value. */
  private static ObjectNode measurement(
      Results execution,
      RunRecord run,
      String name,
      Optional<PhaseRecord> phase,
      Optional<Map.Entry<String, OperationRecord>> operation) {
    Outcome outcome = phase.map(PhaseRecord::outcome).orElse(run.outcome());
    ObjectNode node = NODES.objectNode();
    node.put("execution", execution.name());
    node.put("engine", run.engine());
    node.put("workload", phase.map(PhaseRecord::workload).orElse(null));
    node.put("phase", name);
    node.put("operation", operation.map(Map.Entry::getKey).orElse(null));
    ObjectNode factors = node.putObject("factors");
    run.factors().forEach(factors::put);
    node.put("repetition", run.repetition());
    node.put("outcome", outcome.label());
    node.put("reason", outcome.reason());
    Optional<OperationRecord> record = operation.map(Map.Entry::getValue);
    node.put("operations", record.map(OperationRecord::ok).orElse(null));
    node.put("errors", record.map(OperationRecord::errorTotal).orElse(null));
    node.put("notFound", record.map(OperationRecord::notFound).orElse(null));
    node.put(
        "throughput",
        record.map(OperationRecord::throughput).filter(Double::isFinite).orElse(null));
    node.set(
        "latencyNanos",
        record.flatMap(OperationRecord::latencyNanos).map(SummaryJson::latency).orElse(null));
    node.set(
        "resources",
        phase.flatMap(PhaseRecord::resources).map(SummaryJson::resources).orElse(null));
    node.set(
        "durability",
        phase.flatMap(PhaseRecord::durability).map(SummaryJson::durability).orElse(null));
    return node;
  }

  private static ObjectNode durability(Durability durability) {
    ObjectNode node = NODES.objectNode();
    node.put("device", durability.device().orElse(null));
    node.put("flushes", boxed(durability.flushes()));
    node.put("baselinePerSecond", boxed(durability.baselinePerSecond()));
    node.put("writes", durability.writes());
    node.put("flushesPerWrite", boxed(durability.flushesPerWrite()));
    node.put("verdict", durability.verdict().label());
    node.put("reason", durability.reason());
    return node;
  }

  private static ObjectNode killTest(Results execution, RunRecord run, CrashTest test) {
    ObjectNode node = NODES.objectNode();
    node.put("execution", execution.name());
    node.put("engine", run.engine());
    ObjectNode factors = node.putObject("factors");
    run.factors().forEach(factors::put);
    node.put("repetition", run.repetition());
    node.put("reason", test.reason());
    ArrayNode kills = node.putArray("kills");
    test.kills().forEach(kill -> kills.add(kill(kill)));
    return node;
  }

  private static ObjectNode kill(Crash kill) {
    ObjectNode node = NODES.objectNode();
    node.put("ending", kill.ending());
    node.put("acknowledged", kill.acknowledged());
    node.put("restartNanos", boxed(kill.restartNanos()));
    node.put("reason", kill.reason());
    Optional<LostWrites> losses = kill.losses();
    node.put("checked", losses.map(LostWrites::checked).orElse(null));
    node.put("lostInserts", losses.map(LostWrites::lostInserts).orElse(null));
    node.put("lostUpdates", losses.map(LostWrites::lostUpdates).orElse(null));
    node.put("lostDeletes", losses.map(LostWrites::lostDeletes).orElse(null));
    node.put("wrongValues", losses.map(LostWrites::wrongValues).orElse(null));
    node.put("unexpectedKeys", losses.map(LostWrites::unexpectedKeys).orElse(null));
    node.put("example", losses.map(LostWrites::example).orElse(null));
    return node;
  }

  private static ObjectNode latency(Latency latency) {
    ObjectNode node = NODES.objectNode();
    node.put("mean", latency.mean());
    node.put("stddev", latency.stddev());
    node.put("min", latency.min());
    node.put("p50", boxed(latency.p50()));
    node.put("p90", boxed(latency.p90()));
    node.put("p95", boxed(latency.p95()));
    node.put("p99", boxed(latency.p99()));
    node.put("p999", boxed(latency.p999()));
    node.put("p9999", boxed(latency.p9999()));
    node.put("max", latency.max());
    return node;
  }

  private static ObjectNode resources(Resources resources) {
    ObjectNode node = NODES.objectNode();
    node.set("server", resources.server().map(SummaryJson::usage).orElse(null));
    node.set("client", resources.client().map(SummaryJson::usage).orElse(null));
    node.put("footprintBytes", boxed(resources.footprintBytes()));
    node.set("device", resources.device().map(SummaryJson::traffic).orElse(null));
    return node;
  }

  private static ObjectNode traffic(Resources.Traffic traffic) {
    ObjectNode node = NODES.objectNode();
    node.put("readBytes", traffic.readBytes());
    node.put("writtenBytes", traffic.writtenBytes());
    return node;
  }

  private static ObjectNode usage(Usage usage) {
    ObjectNode node = NODES.objectNode();
    node.put("userSeconds", usage.userSeconds());
    node.put("systemSeconds", usage.systemSeconds());
    node.put("residentMeanBytes", usage.residentMeanBytes());
    node.put("residentPeakBytes", usage.residentPeakBytes());
    node.put("residentEndBytes", usage.residentEndBytes());
    node.put("childrenPeakBytes", usage.childrenPeakBytes());
    node.put("readBytes", boxed(usage.readBytes()));
    node.put("writtenBytes", boxed(usage.writtenBytes()));
    node.put("cancelledBytes", boxed(usage.cancelledBytes()));
    return node;
  }

  private static Double boxed(OptionalDouble value) {
    return value.isPresent() ? Double.valueOf(value.getAsDouble()) : null;
  }

  private static Long boxed(OptionalLong value) {
    return value.isPresent() ? Long.valueOf(value.getAsLong()) : null;
  }
}
