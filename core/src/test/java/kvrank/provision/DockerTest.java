package kvrank.provision;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DockerTest {

  private static String answer(String text) {
    return "Status 500: {\"message\":\"%s\"}".formatted(text.replace("\"", "\\\""));
  }

  @Test
  void saysWhichRegistryCannotBeReachedAndWhy() {
    String request = "Get \"https://registry.example/v2/\": ";
    assertThat(
            Docker.sentence(
                answer(request + "dial tcp: lookup registry.example on 10.0.0.1:53: no such host")))
        .isEqualTo("registry.example cannot be reached: no such host");
    assertThat(Docker.sentence(answer(request + "context deadline exceeded")))
        .isEqualTo("registry.example cannot be reached: context deadline exceeded");
  }

  @Test
  void saysWhatTheDaemonAnsweredWithoutItsWrapping() {
    assertThat(Docker.sentence(answer("manifest for redis:9 not found: manifest unknown")))
        .isEqualTo("manifest for redis:9 not found: manifest unknown");
    assertThat(Docker.sentence("Connection refused")).isEqualTo("Connection refused");
  }

  @Test
  void aDigestNamesTheImageAndItsTagIsForReaders() {
    String digest = "@sha256:" + "0123456789abcdef".repeat(4);

    assertThat(Docker.name("host:5000/redis:7.2" + digest).asCanonicalNameString())
        .isEqualTo("host:5000/redis" + digest);
    assertThat(Docker.name("redis" + digest).asCanonicalNameString()).endsWith("redis" + digest);
    assertThat(Docker.name("redis:7.2").asCanonicalNameString()).endsWith("redis:7.2");
    Docker.name("redis:7.2" + digest).assertValid();
  }
}
