package kvrank.run.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ColdStartTest {

  @TempDir private Path data;

  private final List<String> steps = new ArrayList<>();
  private final Facts facts = new Facts();

  private Facts begin(Optional<Path> data, boolean embedded, Fact figure) throws Exception {
    ColdStart.Step reopening = () -> steps.add("reopen");
    Settling.Reports reports =
        () -> {
          steps.add("report");
          return new Facts().put(figure, steps.size());
        };
    return new ColdStart(
            data,
            embedded ? Optional.of(reopening) : Optional.empty(),
            reports,
            () -> steps.add("drop"))
        .begin(facts);
  }

  /** Chronicle Map reads its mapped file to count its entries, and mapped pages are not dropped. */
  @Test
  void nothingIsAskedOfAnEngineThatMapsItsFilesOnceItIsOpenAgain() throws Exception {
    Files.write(data.resolve("table"), new byte[8192]);
    Fact figure = Fact.ENGINE_OFF_HEAP_BYTES;
    assertThat(begin(Optional.of(data), true, figure).count(figure)).isEqualTo(1);
    assertThat(steps).containsExactly("report", "reopen", "drop");
    assertThat(facts.text(Fact.COLD_REOPENED)).isEqualTo("yes");
    assertThat(facts.has(Fact.COLD_CACHED_BYTES)).isTrue();
  }

  @Test
  void whatAnEngineCountsSinceItIsOpenIsItsCountOnceItIsOpenAgain() throws Exception {
    Files.write(data.resolve("table"), new byte[8192]);
    Fact figure = Fact.ENGINE_FLUSHES;
    assertThat(begin(Optional.of(data), true, figure).count(figure)).isEqualTo(3);
    assertThat(steps).containsExactly("report", "reopen", "report", "drop");
  }

  @Test
  void anEngineWithoutFilesOrInAServerStaysOpen() throws Exception {
    begin(Optional.of(data), true, Fact.ENGINE_FLUSHES);
    begin(Optional.empty(), false, Fact.ENGINE_FLUSHES);
    assertThat(steps).containsExactly("report", "drop", "report", "drop");
    assertThat(facts.text(Fact.COLD_REOPENED)).isEqualTo("no");
  }
}
