package kvrank.run.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import kvrank.metric.Usage;
import kvrank.results.ResourceSeries;
import kvrank.results.ResourceSeries.Column;
import kvrank.results.ResourceSeries.Sample;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a record has of memory and storage can be computed again from the samples. */
class ResourceSamplerTest {

  @TempDir private Path folder;

  @Test
  void theSeriesHasEveryFigure() throws Exception {
    Path file = folder.resolve("resources.csv");
    Path data = Files.createDirectory(folder.resolve("data"));
    Usage used;
    try (ResourceSampler sampler =
        new ResourceSampler(
            OptionalLong.empty(),
            List.of(ProcessHandle.current().pid()),
            Optional.of(data),
            false,
            OptionalLong.empty(),
            file)) {
      sampler.begin("get", true);
      sampler.begin("get", false);
      used = sampler.end().resources().client().orElseThrow();
      assertThat(sampler.footprint("get", OptionalLong.of(1L << 50))).hasValue(1L << 50);
      sampler.footprint("", OptionalLong.of(7));
    }

    List<Sample> samples = ResourceSeries.read(file).samples();
    List<Sample> measured =
        samples.stream()
            .filter(each -> each.process().equals(ResourceSeries.CLIENT))
            .filter(each -> each.phase().equals("get") && !each.warmup())
            .toList();
    assertThat(measured).hasSizeGreaterThanOrEqualTo(2);
    Sample last = measured.get(measured.size() - 1);
    assertThat(whole(last, Column.RESIDENT_BYTES)).isEqualTo(used.residentEndBytes());
    assertThat(whole(last, Column.ANONYMOUS_BYTES))
        .isEqualTo(used.anonymousEndBytes().orElseThrow());
    assertThat(values(measured, Column.RESIDENT_BYTES).max()).hasValue(used.residentPeakBytes());
    assertThat(values(measured, Column.ANONYMOUS_BYTES).max())
        .hasValue(used.anonymousPeakBytes().orElseThrow());
    assertThat(values(measured, Column.ANONYMOUS_BYTES).sum() / measured.size())
        .isEqualTo(used.anonymousMeanBytes().orElseThrow());
    assertThat(samples)
        .filteredOn(each -> each.process().equals(ResourceSeries.DATA))
        .anyMatch(each -> size(each) == 1L << 50 && each.phase().equals("get") && !each.warmup())
        .anyMatch(each -> size(each) == 7 && each.phase().isEmpty());
  }

  private static LongStream values(List<Sample> samples, Column column) {
    return samples.stream().mapToLong(sample -> whole(sample, column));
  }

  private static long whole(Sample sample, Column column) {
    return Math.round(sample.figure(column).orElseThrow());
  }

  private static double size(Sample sample) {
    return sample.figure(Column.FOOTPRINT_BYTES).orElse(0);
  }
}
