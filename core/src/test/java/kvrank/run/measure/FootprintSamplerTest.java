package kvrank.run.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.SynchronousQueue;
import org.junit.jupiter.api.Test;

class FootprintSamplerTest {

  @Test
  void keepsTheSpikeOfACompactionUntilTheNextPhase() throws Exception {
    SynchronousQueue<Long> sizes = new SynchronousQueue<>();
    List<Long> received = new CopyOnWriteArrayList<>();
    try (FootprintSampler sampler =
        new FootprintSampler(
            () -> OptionalLong.of(sizes.take()), Duration.ofMillis(1), received::add)) {
      for (long size : new long[] {100, 250, 120, 0}) {
        sizes.put(size); // the previous size has been added
      }
      assertThat(sampler.peak(OptionalLong.of(110))).hasValue(250);
      assertThat(received).startsWith(100L, 250L, 120L);

      sampler.begin();
      assertThat(sampler.peak(OptionalLong.empty())).isEmpty();
      sizes.put(90L);
      sizes.put(80L);
      assertThat(sampler.peak(OptionalLong.of(130))).hasValue(130);
    }
  }
}
