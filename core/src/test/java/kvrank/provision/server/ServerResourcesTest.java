package kvrank.provision.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import kvrank.engine.ProvisionMethod;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import org.junit.jupiter.api.Test;

class ServerResourcesTest {

  private static final String REASON = "it could not be stopped: ";

  /** Such as a container whose daemon has ended. */
  private static final class Unstoppable implements StartedServer {

    @Override
    public List<ServerAddress> endpoints() {
      return List.of();
    }

    @Override
    public void stop() {
      throw new IllegalStateException("the daemon does not answer");
    }
  }

  @Test
  void aRemovalThatFailsIsReturnedOnce() throws Exception {
    ServerResources resources = unstoppable();
    assertThat(resources.remove())
        .hasValueSatisfying(failure -> assertThat(failure.message()).startsWith(REASON))
        .map(Failure::cause)
        .hasValue(Cause.HARNESS);
    assertThat(resources.remove()).isEmpty();
    resources.close();
  }

  @Test
  void closingHidesNoEarlierFailure() throws Exception {
    assertThatThrownBy(
            () -> {
              try (ServerResources resources = unstoppable()) {
                throw new IllegalArgumentException("first " + resources.closed());
              }
            })
        .hasMessage("first false")
        .satisfies(
            thrown ->
                assertThat(thrown.getSuppressed())
                    .singleElement()
                    .isInstanceOf(UncheckedIOException.class)
                    .asString()
                    .contains("redis: " + REASON));
  }

  private static ServerResources unstoppable() throws Exception {
    Path unused = Path.of("unused");
    ServerSpec spec = new TestRedis(unused).server(ProvisionMethod.PROCESS, "redis", unused);
    ServerResources resources = new ServerResources(spec, null, closed -> {});
    resources.launch(Unstoppable::new);
    return resources;
  }
}
