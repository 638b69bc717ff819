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

  private Facts begin(Optional<Path> data, boolean embedded) throws Exception {
    ColdStart.Step reopening = () -> steps.add("reopen");
    Settling.Reports reports =
        () -> {
          steps.add("report");
          return new Facts().put(Fact.ENGINE_PENDING_BYTES, 5);
        };
    return new ColdStart(
            data,
            embedded ? Optional.of(reopening) : Optional.empty(),
            reports,
            () -> steps.add("drop"))
        .begin(facts);
  }

  /** Chronicle Map reads its whole file to count its entries, which is then in the page cache. */
  @Test
  void nothingIsAskedOfTheEngineOnceThePageCacheIsEmpty() throws Exception {
    Files.write(data.resolve("table"), new byte[8192]);
    assertThat(begin(Optional.of(data), true).count(Fact.ENGINE_PENDING_BYTES)).isEqualTo(5);
    assertThat(steps).containsExactly("reopen", "report", "drop");
    assertThat(facts.text(Fact.COLD_REOPENED)).isEqualTo("yes");
    assertThat(facts.has(Fact.COLD_CACHED_BYTES)).isTrue();
  }

  @Test
  void anEngineWithoutFilesOrInAServerStaysOpen() throws Exception {
    begin(Optional.of(data), true);
    begin(Optional.empty(), false);
    assertThat(steps).containsExactly("report", "drop", "report", "drop");
    assertThat(facts.text(Fact.COLD_REOPENED)).isEqualTo("no");
  }
}
