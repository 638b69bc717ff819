package kvrank.run.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Lets a contest sample as a run does. */
public final class Sampling {

  private Sampling() {}

  /**
   * Begins to sample.
   *
   * @param server the server's process
   * @param client the worker's process
   * @param folder where the data would be, and the series goes
   * @return ends the sampling
   */
  public static Runnable begin(long server, long client, Path folder) {
    try {
      ResourceSampler sampler =
          new ResourceSampler(
              OptionalLong.of(server),
              List.of(client),
              Optional.of(folder),
              false,
              OptionalLong.empty(),
              folder.resolve("resources.csv"));
      sampler.begin("measured", false);
      return sampler::close;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
