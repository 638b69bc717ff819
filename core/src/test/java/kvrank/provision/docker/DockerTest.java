package kvrank.provision.docker;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.transport.DockerHttpClient;
import com.github.dockerjava.zerodep.ZerodepDockerHttpClient;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.testcontainers.shaded.com.github.dockerjava.core.DefaultDockerClientConfig;
import org.testcontainers.shaded.com.github.dockerjava.core.DockerClientImpl;

class DockerTest {

  private static String answer(String text) {
    return "Status 500: {\"message\":\"%s\"}".formatted(text.replace("\"", "\\\""));
  }

  @Test
  void namesTheUnreachableRegistryAndTheReason() {
    String request = "Get \"https://registry.example/v2/\": ";
    assertThat(
            Docker.sentence(
                answer(request + "dial tcp: lookup registry.example on 10.0.0.1:53: no such host")))
        .isEqualTo("registry.example cannot be reached: no such host");
    assertThat(Docker.sentence(answer(request + "context deadline exceeded")))
        .isEqualTo("registry.example cannot be reached: context deadline exceeded");
  }

  @Test
  void reportsTheDaemonsAnswerWithoutItsWrapping() {
    assertThat(Docker.sentence(answer("manifest for redis:9 not found: manifest unknown")))
        .isEqualTo("manifest for redis:9 not found: manifest unknown");
    assertThat(Docker.sentence("Connection refused")).isEqualTo("Connection refused");
  }

  @Test
  void aDigestIdentifiesTheImageWithoutItsTag() {
    String digest = "@sha256:" + "0123456789abcdef".repeat(4);

    assertThat(Docker.name("host:5000/redis:7.2" + digest).asCanonicalNameString())
        .isEqualTo("host:5000/redis" + digest);
    assertThat(Docker.name("redis" + digest).asCanonicalNameString()).endsWith("redis" + digest);
    assertThat(Docker.name("redis:7.2").asCanonicalNameString()).endsWith("redis:7.2");
    Docker.name("redis:7.2" + digest).assertValid();
  }

  /** Returns a daemon with images of Redis, which answers with {@code image}. */
  private static HttpServer daemon(String image) throws IOException {
    HttpServer daemon =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    daemon.createContext(
        "/",
        request -> {
          boolean here = request.getRequestURI().getPath().matches(".*(redis|sha256:1).*");
          byte[] answer = (here ? image : "{\"message\": \"none\"}").getBytes(US_ASCII);
          request.getResponseHeaders().add("Content-Type", "application/json");
          request.sendResponseHeaders(here ? 200 : 404, answer.length);
          request.getResponseBody().write(answer);
          request.close();
        });
    daemon.start();
    return daemon;
  }

  private static URI address(HttpServer daemon) {
    return URI.create("tcp://127.0.0.1:" + daemon.getAddress().getPort());
  }

  private static Docker docker(HttpServer daemon, DockerHttpClient http) {
    return new Docker(
        DockerClientImpl.getInstance(
            DefaultDockerClientConfig.createDefaultConfigBuilder()
                .withDockerHost(address(daemon).toString())
                .build(),
            http));
  }

  @Test
  void theDigestIsThatOfTheRegistryThatWasAsked() throws Exception {
    HttpServer daemon =
        daemon(
            "{\"Id\": \"sha256:1\", \"RepoDigests\": [\"redis@sha256:2\", \"my/redis@sha256:3\"]}");
    try (DockerHttpClient http =
        new ZerodepDockerHttpClient.Builder().dockerHost(address(daemon)).build()) {
      Docker docker = docker(daemon, http);
      assertThat(docker.id("redis:7.2")).hasValue("sha256:1");
      assertThat(docker.id("other:1")).isEmpty();
      assertThat(docker.facts("redis:7.2", "sha256:1").asMap())
          .containsExactlyInAnyOrderEntriesOf(
              Map.of("image", "redis:7.2", "imageId", "sha256:1", "imageDigest", "redis@sha256:2"));
      assertThat(docker.facts("my/redis", "sha256:1").asMap())
          .containsEntry("imageDigest", "my/redis@sha256:3");
      assertThat(docker.facts("third/redis", "sha256:1").asMap())
          .containsEntry("imageDigest", "my/redis@sha256:3");
      assertThat(docker.facts("redis:7.2", "sha256:0").asMap()).doesNotContainKey("imageDigest");
    } finally {
      daemon.stop(0);
    }
  }

  @Test
  void surveyedImagesStayAvailableWithoutTheDaemon() throws Exception {
    HttpServer daemon = daemon("{\"Id\": \"1\"}");
    try (DockerHttpClient http =
        new ZerodepDockerHttpClient.Builder().dockerHost(address(daemon)).build()) {
      Docker docker = docker(daemon, http);
      try {
        assertThat(docker.here("redis:7.2")).isTrue();
        assertThat(docker.here("other:1")).isFalse();
        assertThat(docker.obtain("other:1")).isPresent();
      } finally {
        daemon.stop(0);
      }

      assertThat(docker.here("redis:7.2")).isTrue();
      assertThat(docker.obtain("redis:7.2")).isEmpty();
      assertThat(docker.here("other:1")).isFalse();
      assertThat(docker.here("unseen:1")).isFalse();
      assertThat(docker.obtain("unseen:1"))
          .hasValueSatisfying(
              why ->
                  assertThat(why)
                      .startsWith("the Docker daemon does not answer: ")
                      .doesNotContain("java."));
    }
  }
}
