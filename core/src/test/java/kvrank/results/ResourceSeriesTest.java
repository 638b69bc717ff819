package kvrank.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import kvrank.results.ResourceSeries.Column;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResourceSeriesTest {

  private static final String OLD =
      "phase,elapsed_ms,process,user_seconds,system_seconds,resident_bytes,"
          + "read_bytes,written_bytes,children_bytes,cancelled_bytes";

  @TempDir private Path folder;

  @Test
  void timesCountFromTheEndOfTheWarmup() throws Exception {
    ResourceSeries series =
        read(
            OLD + ",flushes,warmup",
            "get,1000,server,1.50,0.25,4096,0,512,0,0,,true",
            "get,1000,device,,,,0,8192,,,40,true",
            "get,1250,server,1.75,0.25,8192,0,512,0,0,,false",
            "get,1250,device,,,,0,8192,,,44,false",
            "set,1500,server,2.00,0.25,8192,0,512,0,0,,false");

    List<ResourceSeries.Sample> server = series.of("get", ResourceSeries.SERVER);
    assertThat(server).extracting(ResourceSeries.Sample::elapsedMillis).containsExactly(-250L, 0L);
    assertThat(server.get(0).cpuSeconds()).hasValue(1.75);
    assertThat(server.get(0).residentBytes()).hasValue(4096);
    assertThat(server.get(0).flushes()).isEmpty();
    ResourceSeries.Sample device = series.of("get", ResourceSeries.DEVICE).get(1);
    assertThat(device.flushes()).hasValue(44);
    assertThat(device.cpuSeconds()).isEmpty();
    assertThat(series.of("get", ResourceSeries.CLIENT)).isEmpty();
  }

  @Test
  void aWrittenLineIsRead() throws Exception {
    String line =
        ResourceSeries.line(
            "get", 1000, ResourceSeries.DATA, true, Map.of(Column.FOOTPRINT_BYTES, "4096"));
    assertThat(read(ResourceSeries.HEADING.strip(), line.strip()).samples())
        .containsExactly(
            new ResourceSeries.Sample(
                "get", 1000, ResourceSeries.DATA, true, Map.of(Column.FOOTPRINT_BYTES, 4096.0)));
  }

  @Test
  void olderFilesAndMissingOnesAreEmpty() throws Exception {
    assertThat(read(OLD, "get,1000,server,1.50,0.25,4096,0,512,0,0").samples()).isEmpty();
    assertThat(ResourceSeries.read(folder.resolve("none.csv")).samples()).isEmpty();
  }

  @Test
  void brokenFileIsNamedWithItsLine() {
    assertThatThrownBy(() -> read(OLD + ",flushes,warmup", "get,1000,server,1.50,0.2"))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("resources.csv:2: broken or truncated");
  }

  private ResourceSeries read(String... lines) throws IOException, UnreadableException {
    Path file = folder.resolve("resources.csv");
    Files.write(file, List.of(lines), StandardCharsets.UTF_8);
    return ResourceSeries.read(file);
  }
}
