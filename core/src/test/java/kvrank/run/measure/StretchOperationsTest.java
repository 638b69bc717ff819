package kvrank.run.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.plan.Planner;
import kvrank.plan.RunSpec;
import kvrank.scenario.read.ScenarioReader;
import kvrank.scenario.read.TestHome;
import kvrank.worker.protocol.OperationCount;
import kvrank.worker.protocol.PhaseResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StretchOperationsTest {

  @TempDir private Path folder;

  @Test
  void bytesAreThoseOfAllGroupsOfThreads() throws Exception {
    Path file = folder.resolve("one.yaml");
    Files.writeString(
        file,
        """
        question: Which one?
        engines: [rocksdb]
        fsync: off
        key-bytes: 16
        value-bytes: 84
        phases: [get]
        """);
    RunSpec run =
        Planner.plan(new ScenarioReader(TestHome.PROJECT).read(file, List.of(), List.of()))
            .runs()
            .get(0);
    SortedMap<String, OperationCount> counts = new TreeMap<>();
    counts.put("writers:update", new OperationCount(7, 0, new TreeMap<>()));
    counts.put("others:insert", new OperationCount(3, 0, new TreeMap<>()));
    counts.put("others:delete", new OperationCount(2, 0, new TreeMap<>()));
    counts.put("readers:read", new OperationCount(20, 5, new TreeMap<>()));
    counts.put("readers:read-missing", new OperationCount(50, 0, new TreeMap<>()));
    counts.put("walkers:iterate", new OperationCount(1_000, 0, new TreeMap<>()));
    PhaseResult result = new PhaseResult("mixed", 1_000_000_000, counts, 0, new Facts());

    Facts facts = new StretchOperations(result, new TreeMap<>()).logicalBytes(run, 9, 10);
    assertThat(facts.whole(Fact.USER_WRITTEN_BYTES)).isEqualTo(10 * 100 + 2 * 16);
    assertThat(facts.whole(Fact.USER_READ_BYTES)).isEqualTo(1_020 * 100);
    assertThat(facts.whole(Fact.USER_BEGIN_BYTES)).isEqualTo(900);
    assertThat(facts.whole(Fact.USER_LIVE_BYTES)).isEqualTo(1_000);
  }
}
