package kvrank.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CounterSeriesTest {

  @TempDir private Path folder;

  @Test
  void figuresAreRead() throws Exception {
    assertThat(
            read(
                    CounterSeries.HEADING,
                    "set,1000,memtable-bytes,false,4096.0",
                    "set,2000,evicted_keys,true,7.0")
                .samples())
        .containsExactly(
            new CounterSeries.Sample("set", 1000, "memtable-bytes", false, 4096),
            new CounterSeries.Sample("set", 2000, "evicted_keys", true, 7));
    assertThat(CounterSeries.read(folder.resolve("none.csv")).samples()).isEmpty();
  }

  @Test
  void brokenFileIsNamedWithItsLine() {
    assertThatThrownBy(() -> read(CounterSeries.HEADING, "set,1000,memtable-by"))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("counters.csv:2: broken or truncated");
    assertThatThrownBy(() -> read("phase,second"))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("counters.csv: does not begin with");
  }

  private CounterSeries read(String... lines) throws IOException, UnreadableException {
    Path file = folder.resolve("counters.csv");
    Files.write(file, List.of(lines), StandardCharsets.UTF_8);
    return CounterSeries.read(file);
  }
}
