package kvrank.scenario.read;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.binding.net.Tls;
import kvrank.engine.Tuning;
import kvrank.input.Secret;
import kvrank.metric.Direction;
import kvrank.metric.Expectation;
import kvrank.metric.Preference;
import kvrank.scenario.CrashTest;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.GroupSpec;
import kvrank.scenario.Isolation;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Repetitions;
import kvrank.scenario.Scenario;
import kvrank.scenario.Setting;
import kvrank.scenario.Sweep;
import kvrank.table.TableRequest;
import kvrank.workload.HostedWorkload;
import kvrank.workload.TransactionPart;
import kvrank.workload.Workload;
import kvrank.workload.key.KeyShape;
import kvrank.workload.pace.Pacing;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.DurationFormat;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.Replay;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/**
 * Writes a scenario with everything explicit, workloads included, so that it stays the same when
 * workload files change. Engines remain names.
 */
public final class ScenarioWriter {

  private static final String HEADER =
      "# The scenario as kvrank resolved it. Reading this file gives the same scenario.\n";

  /** Returns YAML that {@link ScenarioReader} reads into an equal scenario, except for its file. */
  public String write(Scenario scenario) {
    return HEADER + yaml(scenario(scenario));
  }

  /** Returns the YAML of a workload file. */
  public String write(Workload workload) {
    return yaml(workload(workload));
  }

  private static String yaml(Tree tree) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setIndicatorIndent(2);
    options.setIndentWithIndicator(true);
    options.setSplitLines(false);
    options.setLineBreak(DumperOptions.LineBreak.UNIX);
    // Anchors for repeated values would be hard to read.
    options.setDereferenceAliases(true);
    return new Yaml(options).dump(tree);
  }

  /** A map in insertion order. */
  private static final class Tree extends LinkedHashMap<String, Object> {

    private static final long serialVersionUID = 1L;

    /** Adds {@code key}, unless its value is an empty {@code Optional}. */
    Tree with(String key, Object value) {
      if (value instanceof Optional<?> optional) {
        optional.ifPresent(present -> put(key, present));
      } else {
        put(key, value);
      }
      return this;
    }
  }

  private static Tree scenario(Scenario scenario) {
    Tree root =
        new Tree()
            .with("name", scenario.name())
            .with("question", scenario.question())
            .with(
                "engines",
                scenario.engines().stream().map(ScenarioWriter::engine).distinct().toList())
            .with(
                "storage",
                new Tree()
                    .with("medium", scenario.medium().label())
                    .with("data", scenario.data().map(Path::toString)));
    settings(scenario, root);
    root.with("phases", scenario.phases().stream().map(ScenarioWriter::phase).toList())
        .with("repetitions", repetitions(scenario.repetitions()))
        .with("budget", scenario.repetitions().budget().map(DurationFormat::format))
        .with("patience", DurationFormat.format(scenario.repetitions().patience()))
        .with("seed", scenario.seed())
        .with("order-seed", scenario.orderSeed());
    if (scenario.isolation() instanceof Isolation.None) {
      root.with("isolation", "none");
    } else if (scenario.isolation() instanceof Isolation.Sets sets) {
      Tree isolation = new Tree().with("client-cpus", sets.client().label());
      root.with("isolation", isolation.with("server-cpus", sets.server().label()));
    }
    root.with("prepare", nonEmpty(scenario.prepare()));
    List<Object> tables = scenario.tables().stream().map(TableRequest::stated).toList();
    List<String> expect =
        scenario.expectations().stream().map(Expectation::text).distinct().toList();
    return root.with("tables", nonEmpty(tables))
        .with("expect", nonEmpty(expect))
        .with("prefer", scenario.prefer().map(Preference::text));
  }

  private static Object repetitions(Repetitions repetitions) {
    if (!repetitions.adaptive()) {
      return repetitions.atMost();
    }
    Optional<Double> interval = repetitions.interval();
    return new Tree()
        .with("at-least", repetitions.atLeast())
        .with("at-most", repetitions.atMost())
        .with(
            "until",
            interval.isPresent()
                ? Map.of("interval", "%s%%".formatted(100 * interval.get()))
                : Map.of("ratio", repetitions.ratio()))
        .with(
            "compare",
            nonEmpty(
                repetitions.compare().stream()
                    .map(engines -> engines.size() == 1 ? engines.get(0) : engines)
                    .toList()));
  }

  /** Returns a list or a map, unless it is empty. */
  private static Optional<Object> nonEmpty(Object values) {
    return Optional.of(values).filter(v -> !v.equals(List.of()) && !v.equals(Map.of()));
  }

  private static void settings(Scenario scenario, Tree root) {
    Tree measure = new Tree();
    Tree factors = new Tree();
    List<String> unset = List.of("");
    boolean counted = !scenario.factors().get(Setting.OPERATIONS).equals(unset);
    boolean traced =
        scenario.phases().stream().anyMatch(phase -> phase.workload().trace().isPresent());
    for (Map.Entry<Setting, List<String>> factor : scenario.factors().entrySet()) {
      Setting setting = factor.getKey();
      if (traced && (setting == Setting.RECORDS || TracePhaseReader.DECIDED.contains(setting))) {
        continue;
      }
      List<Object> scalars = factor.getValue().stream().map(ScenarioWriter::scalar).toList();
      if (scalars.size() > 1) {
        factors.with(setting.label(), scalars);
      } else if (!factor.getValue().equals(unset) && !(setting == Setting.DURATION && counted)) {
        Tree fixed = SettingsReader.MEASURE.contains(setting) ? measure : root;
        fixed.with(setting.label(), scalars.get(0));
      }
    }
    if (scenario.crashTest().isPresent()) {
      boolean values = scenario.factors().get(Setting.VERIFY).equals(List.of("values"));
      root.with(
          Setting.VERIFY.label(), crashTest(scenario.crashTest().get()).with("values", values));
    }
    root.with("measure", measure).with("factors", nonEmpty(factors));
  }

  private static Tree crashTest(CrashTest test) {
    Tree verify =
        new Tree()
            .with("after", test.powerCut().isPresent() ? "power-cut" : "crash")
            .with("crashes", test.crashes());
    test.powerCut()
        .ifPresent(
            cut ->
                verify
                    .with("keep", cut.keep().stream().map(CrashTest.Keep::label).toList())
                    .with("sector", cut.sectorBytes())
                    .with("filesystem", cut.fileSystem().label())
                    .with("sync", DurationFormat.format(cut.sync()))
                    .with("lifetime", cut.lifetime().map(DurationFormat::format)));
    return verify;
  }

  private static Object scalar(String value) {
    return value.matches("[0-9]+") ? Long.valueOf(value) : value;
  }

  private static Tree engine(EngineSpec engine) {
    SortedMap<String, Object> options = new TreeMap<>(engine.options());
    engine.row().options().forEach((option, value) -> options.put(option, List.of(value)));
    engine.tuning().ifPresent(tuning -> options.remove(tuning.option()));
    return new Tree()
        .with("engine", engine.definition().name())
        .with("as", engine.row().name())
        .with("bindings", engine.bindings().map(Path::toString))
        .with("options", nonEmpty(options))
        .with("tune", engine.tuning().map(ScenarioWriter::tuning))
        .with(
            "server",
            engine.server().map(choice -> Map.of(choice.method().label(), argument(choice))));
  }

  private static Tree tuning(Tuning tuning) {
    boolean maximise = tuning.metric().direction() == Direction.HIGHER;
    return new Tree()
        .with("option", tuning.option())
        .with("from", tuning.from())
        .with("to", tuning.to())
        .with(maximise ? "maximise" : "minimise", tuning.metric().shortName());
  }

  private static Object argument(EngineSpec.ServerChoice choice) {
    EngineSpec.Access access = choice.access();
    if (!access.equals(new EngineSpec.Access(false))) {
      return new Tree()
          .with("address", choice.argument())
          .with("may-share", access.mayShare())
          .with("user", access.user().map(ScenarioWriter::secret))
          .with("password", access.password().map(ScenarioWriter::secret))
          .with("tls", access.tls().map(tls -> true))
          .with("ca", access.tls().flatMap(Tls::authorities).map(Path::toString))
          .with("cert", access.tls().flatMap(Tls::certificate).map(Path::toString))
          .with("key", access.tls().flatMap(Tls::key).map(Path::toString));
    }
    return choice.argument().isEmpty() ? true : choice.argument();
  }

  private static Object secret(Secret secret) {
    return secret.source() == Secret.Source.TEXT
        ? secret.name()
        : Map.of(label(secret.source()), secret.name());
  }

  private static Tree phase(PhaseSpec phase) {
    Tree tree = new Tree().with("as", phase.name());
    SortedMap<Setting, String> settings = new TreeMap<>(phase.settings());
    settings.values().removeIf(String::isEmpty);
    Optional<Replay> trace = phase.workload().trace();
    if (trace.isPresent()) {
      settings.keySet().removeAll(Set.of(Setting.RATE, Setting.ARRIVALS));
      settings.forEach((setting, value) -> tree.with(setting.label(), scalar(value)));
      return trace(trace.get(), tree.with(TracePhaseReader.MISSES, misses(phase.workload())));
    }
    if (!phase.groups().isEmpty()) {
      settings.forEach((setting, value) -> tree.with(setting.label(), scalar(value)));
      Tree groups = new Tree();
      phase.groups().forEach(group -> groups.with(group.name(), group(group)));
      return tree.with(GroupReader.GROUPS, groups);
    }
    tree.with("load", phase.load());
    settings.forEach((setting, value) -> tree.with(setting.label(), scalar(value)));
    Sweep sweep = phase.sweep().orElse(null);
    if (sweep instanceof Sweep.Curve curve) {
      tree.with("curve", curve.rates().stream().map(Sweep.Rate::text).toList());
    } else if (sweep instanceof Sweep.Search search) {
      tree.with("search", new Tree().with("metric", search.metric()).with("below", search.bound()));
    }
    return tree.with("workload", workload(phase.workload()));
  }

  private static Tree group(GroupSpec group) {
    Tree tree = new Tree();
    group.threads().ifPresent(threads -> tree.with(Setting.THREADS.label(), threads));
    return tree.with(Setting.RATE.label(), scalar(group.rate()))
        .with("workload", workload(group.workload()));
  }

  private static Tree trace(Replay replay, Tree tree) {
    return tree.with(TracePhaseReader.TRACE, replay.file().toString())
        .with(TracePhaseReader.DIGEST, replay.digest())
        .with(
            TracePhaseReader.CLOCK,
            replay.paced() ? Pacing.decimal(replay.speed()) + "x" : TracePhaseReader.NONE)
        .with(TracePhaseReader.KEYS, replay.oneIn() > 1 ? "1/" + replay.oneIn() : replay.copies())
        .with(
            TracePhaseReader.TTL,
            replay.expires() ? TracePhaseReader.RECORDED : TracePhaseReader.NONE)
        .with(
            TracePhaseReader.BEFORE,
            replay.loaded() > 0 ? TracePhaseReader.TRACE : TracePhaseReader.NONE);
  }

  private static Optional<String> misses(Workload workload) {
    return Optional.of(Operation.FILL.label()).filter(any -> workload.mix().fill());
  }

  private static Tree workload(Workload workload) {
    Tree tree = new Tree().with("name", workload.name());
    if (workload.hosted().isPresent()) {
      HostedWorkload hosted = workload.hosted().get();
      return tree.with("class", hosted.className())
          .with("properties", hosted.properties())
          .with("classpath", hosted.classpath().stream().map(Path::toString).toList())
          .with("notes", nonEmpty(workload.notes()));
    }
    tree.with("description", workload.description());
    List<TransactionPart> transaction = workload.mix().transaction();
    if (transaction.isEmpty()) {
      Tree operations = new Tree();
      workload.mix().weights().forEach((o, weight) -> operations.with(o.label(), weight));
      tree.with("operations", operations);
    } else {
      tree.with(
          TransactionReader.TRANSACTION, transaction.stream().map(ScenarioWriter::part).toList());
    }
    tree.with("keys", keys(workload.mix().keys(), workload.keyShape()))
        .with("values", workload.valueShape().map(ScenarioWriter::values))
        .with(
            "ttl",
            workload
                .ttl()
                .map(ttl -> new Tree().with("share", ttl.share()).with("seconds", ttl.seconds())));
    Tree scan = new Tree();
    if (workload.operations().contains(Operation.RANGE_SCAN)) {
      scan.with("records", sizes(workload.mix().scanRecords()));
    }
    if (workload.mix().reverse()) {
      scan.with("reverse", true);
    }
    return tree.with("scan", nonEmpty(scan))
        .with(TracePhaseReader.MISSES, misses(workload))
        .with("drain", workload.mix().drain())
        .with("notes", nonEmpty(workload.notes()));
  }

  private static Tree part(TransactionPart part) {
    Object value = part.record().isEmpty() ? part.times() : part.record();
    return new Tree().with(part.operation().label(), value);
  }

  private static Tree keys(KeyChoice choice, Optional<KeyShape> shape) {
    Tree tree = new Tree().with("distribution", choice.distribution().label());
    if (Set.of(Distribution.ZIPFIAN, Distribution.LATEST).contains(choice.distribution())) {
      tree.with("exponent", choice.exponent());
    }
    if (Set.of(Distribution.HOTSPOT, Distribution.EXPONENTIAL).contains(choice.distribution())) {
      tree.with("hot-keys", choice.hotKeys()).with("hot-operations", choice.hotOperations());
    }
    return tree.with("bytes", shape.map(KeyShape::bytes))
        .with("prefix-records", shape.filter(s -> !s.hashed()).map(KeyShape::perPrefix))
        .with("order", shape.filter(KeyShape::hashed).map(any -> WorkloadReader.HASHED));
  }

  private static Tree values(ValueShape shape) {
    Tree tree = new Tree().with("kind", label(shape.kind())).with("bytes", sizes(shape.sizes()));
    return shape.kind() == ValueShape.Kind.RANDOM
        ? tree.with("compressibility", shape.compressibility())
        : tree;
  }

  private static Object sizes(ValueSizes sizes) {
    if (sizes.fields() > 1) {
      Object one = sizes(sizes.times(1));
      Tree tree = new Tree().with("fields", sizes.fields());
      if (one instanceof Tree lengths) {
        tree.putAll(lengths);
        return tree;
      }
      return tree.with("min", one).with("max", one);
    }
    if (!sizes.parts().isEmpty()) {
      List<Tree> parts =
          sizes.parts().stream()
              .map(
                  part ->
                      new Tree().with("keys", part.records()).with("bytes", sizes(part.sizes())))
              .toList();
      return new Tree().with("by-popularity", parts);
    }
    if (sizes.bins().size() > 1) {
      List<Tree> bins = sizes.bins().stream().map(ScenarioWriter::bin).toList();
      return new Tree().with("histogram", bins);
    }
    return sizes.min() == sizes.max()
        ? sizes.min()
        : new Tree()
            .with("min", sizes.min())
            .with("max", sizes.max())
            .with("distribution", label(sizes.spread()));
  }

  private static Tree bin(ValueSizes.Bin bin) {
    Tree tree =
        bin.min() == bin.max()
            ? new Tree().with("bytes", bin.min())
            : new Tree().with("min", bin.min()).with("max", bin.max());
    return tree.with("weight", bin.weight());
  }

  private static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
