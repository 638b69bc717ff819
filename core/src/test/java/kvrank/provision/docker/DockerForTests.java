package kvrank.provision.docker;

import static org.assertj.core.api.Assertions.fail;

import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/**
 * Docker and an image of Redis, or a test that is skipped with the reason. {@code
 * KVRANK_REQUIRE_DOCKER=true} makes the lack of either a failure.
 */
public final class DockerForTests {

  private DockerForTests() {}

  /** The image that {@code KVRANK_REDIS_IMAGE} names, or Docker Hub's; it is here now. */
  public static String redisImage() {
    String image = System.getenv().getOrDefault("KVRANK_REDIS_IMAGE", "redis:7.2");
    Docker docker = new Docker(System.getenv(), line -> {});
    Optional<String> problem = docker.absence().or(() -> docker.obtain(image));
    if (problem.isPresent()) {
      String reason = "no container of image '" + image + "': " + problem.get();
      if (Boolean.parseBoolean(System.getenv("KVRANK_REQUIRE_DOCKER"))) {
        fail(reason);
      }
      Assumptions.abort(reason);
    }
    return image;
  }
}
