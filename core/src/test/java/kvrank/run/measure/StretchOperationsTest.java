package kvrank.run.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.plan.Planner;
import kvrank.plan.RunSpec;
import kvrank.scenario.read.ScenarioReader;
import kvrank.scenario.read.TestHome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StretchOperationsTest {

  @TempDir private Path folder;

  @Test
  void dataIsMeasuredByTheMeanRecord() throws Exception {
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

    Facts facts = StretchOperations.liveBytes(run, 9, 10);
    assertThat(facts.whole(Fact.USER_BEGIN_BYTES)).isEqualTo(900);
    assertThat(facts.whole(Fact.USER_LIVE_BYTES)).isEqualTo(1_000);
  }
}
