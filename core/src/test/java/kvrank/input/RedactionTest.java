package kvrank.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import kvrank.scenario.read.TestHome;
import org.junit.jupiter.api.Test;

class RedactionTest {

  /** `max-open-files` hid its value, since `open` is two letters away from `token`. */
  @Test
  void showsTheValuesOfOrdinarySettings() throws Exception {
    Stream<String> settings =
        TestHome.engines().stream()
            .flatMap(
                engine ->
                    Stream.concat(
                        engine.settings().keySet().stream(),
                        engine.fsync().values().stream()
                            .flatMap(level -> level.settings().keySet().stream())));
    assertThat(settings).isNotEmpty().noneMatch(Redaction::isSecret);
    assertThat(
            Stream.of(
                "max-open-files",
                "use-direct-reads",
                "zset-max-listpack-entries",
                "unixsocket",
                "tcp-socket",
                "upper-bound",
                "oversubscribe",
                "under_replicated"))
        .noneMatch(Redaction::isSecret);
    assertThat(Redaction.ofMessage("max-open-files: 'x1': not a number"))
        .isEqualTo("max-open-files: 'x1': not a number");
  }

  @Test
  void hidesWhatFollowsAKeyNearToASecret() {
    assertThat(
            Stream.of(
                "password",
                "pasword",
                "requirepass",
                "masterauth",
                "tokne",
                "api-secret",
                "user",
                "usr",
                "PWD",
                "apikey",
                "credentails",
                "rediscli_auth"))
        .allMatch(Redaction::isSecret);
    assertThat(Redaction.ofMessage("pasword: geheim'")).doesNotContain("geheim");
  }

  @Test
  void showsWhatIsWrongWithAHostOfWhateverName() {
    for (String host : List.of("users-cache.invalid", "auth", "token-cache", "10.0.0.7")) {
      String message = host + ":6379: no connection: it is not there";
      assertThat(Redaction.ofMessage(message)).isEqualTo(message);
    }
    assertThat(Redaction.ofMessage("password: 12345: no'")).doesNotContain("12345");
  }
}
