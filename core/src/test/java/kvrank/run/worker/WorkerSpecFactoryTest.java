package kvrank.run.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import kvrank.engine.Capability;
import kvrank.engine.EngineDefinition;
import kvrank.engine.EngineDefinitionBuilder;
import kvrank.plan.Planner;
import kvrank.plan.RunSpec;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.read.ScenarioReader;
import kvrank.scenario.read.TestHome;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.workload.request.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker learns about its server. */
class WorkerSpecFactoryTest {

  @TempDir private Path folder;

  /** An engine that states no deletes would otherwise avoid crashes. */
  @Test
  void aCrashHasTheWritesOfTheEngine() throws Exception {
    RunSpec run = run();
    EngineDefinition redis = run.engine().definition();
    EngineDefinition few =
        new EngineDefinitionBuilder(redis)
            .capabilities(Set.of(Capability.READ, Capability.INSERT, Capability.UPDATE))
            .build();
    assertThat(crashWrites(run, redis))
        .containsExactly(Operation.INSERT, Operation.UPDATE, Operation.DELETE);
    assertThat(crashWrites(run, few)).containsExactly(Operation.INSERT, Operation.UPDATE);
  }

  private Set<Operation> crashWrites(RunSpec run, EngineDefinition definition) throws Exception {
    return WorkerSpecFactory.crash(
            of(run, new EngineSpec("redis", definition, new TreeMap<>(), Optional.empty())),
            WorkerPhase.Kind.CRASH_WRITES,
            run.phases().get(0).settings(),
            1,
            new TreeMap<>(Map.of("host", "127.0.0.1", "port", "6379")),
            folder)
        .phases()
        .get(0)
        .mix()
        .weights()
        .keySet();
  }

  private RunSpec run() throws Exception {
    Path file = folder.resolve("one.yaml");
    Files.writeString(file, "question: Which one?\nengines: [redis]\nfsync: off\nphases: [get]");
    ScenarioReader reader = new ScenarioReader(TestHome.in(folder.resolve("home")));
    return Planner.plan(reader.read(file, List.of(), List.of())).runs().get(0);
  }

  private static RunSpec of(RunSpec run, EngineSpec engine) {
    return new RunSpec(
        run.key(),
        engine,
        run.fsync(),
        run.dataset(),
        run.verify(),
        run.phases(),
        run.crashTest(),
        run.unsupported());
  }

  /** They could load records into another user's server. */
  @Test
  void optionsDoNotLeadElsewhere() throws Exception {
    RunSpec run = run();
    EngineDefinition redis = run.engine().definition();
    Map<String, String> options = Map.of("host", "10.0.0.7", "port", "17104", "index", "lexical");
    RunSpec astray =
        of(run, new EngineSpec("redis", redis, new TreeMap<>(options), Optional.empty()));
    assertThat(
            WorkerSpecFactory.of(
                    astray, new TreeMap<>(Map.of("host", "127.0.0.1", "port", "6379")), folder)
                .properties())
        .containsEntry("host", "127.0.0.1")
        .containsEntry("port", "6379")
        .containsEntry("index", "lexical");
  }
}
