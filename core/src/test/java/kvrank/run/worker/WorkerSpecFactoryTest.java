package kvrank.run.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import kvrank.engine.EngineDefinition;
import kvrank.plan.Planner;
import kvrank.plan.RunSpec;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.read.ScenarioReader;
import kvrank.scenario.read.TestHome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker is told of its server. */
class WorkerSpecFactoryTest {

  @TempDir private Path folder;

  /** They could load records into a server of somebody else. */
  @Test
  void optionsDoNotLeadElsewhere() throws Exception {
    Path file = folder.resolve("one.yaml");
    Files.writeString(file, "question: Which one?\nengines: [redis]\nfsync: off\nphases: [get]");
    ScenarioReader reader = new ScenarioReader(TestHome.in(folder.resolve("home")));
    RunSpec run = Planner.plan(reader.read(file, List.of(), List.of())).runs().get(0);
    EngineDefinition redis = run.engine().definition();
    Map<String, String> options = Map.of("host", "10.0.0.7", "port", "17104", "index", "lexical");
    RunSpec astray =
        new RunSpec(
            run.key(),
            new EngineSpec("redis", redis, new TreeMap<>(options), Optional.empty()),
            run.fsync(),
            run.dataset(),
            run.verify(),
            run.phases(),
            run.crashTest(),
            run.unsupported());
    assertThat(
            WorkerSpecFactory.of(
                    astray, new TreeMap<>(Map.of("host", "127.0.0.1", "port", "6379")), folder)
                .properties())
        .containsEntry("host", "127.0.0.1")
        .containsEntry("port", "6379")
        .containsEntry("index", "lexical");
  }
}
