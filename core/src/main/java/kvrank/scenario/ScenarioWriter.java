package kvrank.scenario;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import kvrank.metric.Expectation;
import kvrank.workload.Distribution;
import kvrank.workload.HostedWorkload;
import kvrank.workload.KeyChoice;
import kvrank.workload.KeyShape;
import kvrank.workload.Operation;
import kvrank.workload.ValueShape;
import kvrank.workload.Workload;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/**
 * Renders a scenario with everything explicit: defaults, overrides and the workloads themselves, so
 * that it says the same when a workload's file has changed. Engines stay names.
 */
public final class ScenarioWriter {

  private static final String HEADER =
      "# As kvrank resolved it. Reading this file gives the same scenario.\n";

  /** YAML that {@link ScenarioReader} reads into an equal scenario, its file aside. */
  public String write(Scenario scenario) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setIndicatorIndent(2);
    options.setIndentWithIndicator(true);
    options.setSplitLines(false);
    options.setLineBreak(DumperOptions.LineBreak.UNIX);
    // Anchors for values that occur twice would be right and unreadable.
    options.setDereferenceAliases(true);
    return HEADER + new Yaml(options).dump(scenario(scenario));
  }

  private static Map<String, Object> scenario(Scenario scenario) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("name", scenario.name());
    root.put("question", scenario.question());
    root.put("engines", scenario.engines().stream().map(ScenarioWriter::engine).toList());
    Map<String, Object> storage = new LinkedHashMap<>();
    storage.put("medium", scenario.machine().medium().label());
    scenario.machine().data().ifPresent(data -> storage.put("data", data.toString()));
    root.put("storage", storage);
    settings(scenario, root);
    root.put("phases", scenario.phases().stream().map(ScenarioWriter::phase).toList());
    root.put("repetitions", scenario.replication().repetitions());
    root.put("seed", scenario.replication().seed());
    if (scenario.machine().isolation() instanceof Isolation.None) {
      root.put("isolation", "none");
    } else if (scenario.machine().isolation() instanceof Isolation.Sets sets) {
      Map<String, Object> isolation = new LinkedHashMap<>();
      isolation.put("client-cpus", sets.client().label());
      isolation.put("server-cpus", sets.server().label());
      root.put("isolation", isolation);
    }
    if (!scenario.tables().isEmpty()) {
      root.put("tables", scenario.tables().stream().map(TableRequest::stated).toList());
    }
    if (!scenario.expectations().isEmpty()) {
      root.put("expect", scenario.expectations().stream().map(Expectation::text).toList());
    }
    return root;
  }

  private static void settings(Scenario scenario, Map<String, Object> root) {
    Map<String, Object> measure = new LinkedHashMap<>();
    Map<String, Object> factors = new LinkedHashMap<>();
    boolean counted = !scenario.factors().get(Setting.OPERATIONS).equals(List.of(""));
    scenario
        .factors()
        .forEach(
            (setting, values) -> {
              List<Object> scalars = values.stream().map(v -> scalar(v)).toList();
              if (values.equals(List.of("")) || (setting == Setting.DURATION && counted)) {
                return;
              }
              if (values.size() > 1) {
                factors.put(setting.label(), scalars);
                return;
              }
              switch (setting) {
                case WARMUP, DURATION, OPERATIONS -> measure.put(setting.label(), scalars.get(0));
                default -> root.put(setting.label(), scalars.get(0));
              }
            });
    if (scenario.replication().crashes() > 0) {
      boolean checked = scenario.factors().get(Setting.VERIFY).equals(List.of("values"));
      Map<String, Object> verify = new LinkedHashMap<>();
      verify.put("after", "crash");
      verify.put("crashes", scenario.replication().crashes());
      verify.put("values", checked);
      root.put(Setting.VERIFY.label(), verify);
    }
    root.put("measure", measure);
    if (!factors.isEmpty()) {
      root.put("factors", factors);
    }
  }

  private static Object scalar(String value) {
    return value.matches("[0-9]+") ? Long.valueOf(value) : value;
  }

  private static Map<String, Object> engine(EngineSpec engine) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("engine", engine.definition().name());
    map.put("as", engine.label());
    if (!engine.options().isEmpty()) {
      map.put("options", engine.options());
    }
    engine
        .server()
        .ifPresent(
            server -> {
              boolean own = server.argument().isEmpty();
              Object argument = own ? (Object) true : server.argument();
              map.put("server", Map.of(server.method().label(), argument));
            });
    return map;
  }

  private static Map<String, Object> phase(PhaseSpec phase) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("as", phase.name());
    map.put("load", phase.load());
    phase
        .settings()
        .forEach(
            (setting, value) -> {
              if (!value.isEmpty()) {
                map.put(setting.label(), scalar(value));
              }
            });
    phase
        .sweep()
        .ifPresent(
            sweep -> {
              if (sweep instanceof Sweep.Curve curve) {
                map.put("curve", curve.rates().stream().map(Sweep.Rate::text).toList());
              } else if (sweep instanceof Sweep.Search search) {
                map.put("search", Map.of("metric", search.metric(), "below", search.bound()));
              }
            });
    map.put("workload", workload(phase.workload()));
    return map;
  }

  private static Map<String, Object> workload(Workload workload) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", workload.name());
    if (workload.hosted().isPresent()) {
      HostedWorkload hosted = workload.hosted().get();
      map.put("class", hosted.className());
      map.put("properties", hosted.properties());
      map.put("classpath", hosted.classpath().stream().map(Path::toString).toList());
      return map;
    }
    map.put("description", workload.description());
    map.put("operations", operations(workload.mix().weights()));
    map.put("keys", keys(workload));
    workload.valueShape().ifPresent(values -> map.put("values", values(values)));
    if (workload.operations().contains(Operation.RANGE_SCAN)) {
      map.put("scan", Map.of("records", workload.mix().scanRecords()));
    }
    map.put("drain", workload.mix().drain());
    return map;
  }

  private static Map<String, Object> operations(SortedMap<Operation, Integer> operations) {
    Map<String, Object> map = new LinkedHashMap<>();
    operations.forEach((operation, weight) -> map.put(operation.label(), weight));
    return map;
  }

  private static Map<String, Object> keys(Workload workload) {
    KeyChoice choice = workload.mix().keys();
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("distribution", choice.distribution().label());
    if (Set.of(Distribution.ZIPFIAN, Distribution.LATEST).contains(choice.distribution())) {
      map.put("exponent", choice.exponent());
    }
    if (choice.distribution() == Distribution.HOTSPOT) {
      map.put("hot-keys", choice.hotKeys());
      map.put("hot-operations", choice.hotOperations());
    }
    workload
        .keyShape()
        .ifPresent(
            (KeyShape shape) -> {
              map.put("bytes", shape.bytes());
              map.put("prefix-records", shape.perPrefix());
            });
    return map;
  }

  private static Map<String, Object> values(ValueShape shape) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("kind", label(shape.kind()));
    if (shape.minBytes() == shape.maxBytes()) {
      map.put("bytes", shape.minBytes());
    } else {
      Map<String, Object> bytes = new LinkedHashMap<>();
      bytes.put("min", shape.minBytes());
      bytes.put("max", shape.maxBytes());
      bytes.put("distribution", label(shape.sizes()));
      map.put("bytes", bytes);
    }
    if (shape.kind() == ValueShape.Kind.RANDOM) {
      map.put("compressibility", shape.compressibility());
    }
    return map;
  }

  private static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
