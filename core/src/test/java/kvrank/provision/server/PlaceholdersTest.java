package kvrank.provision.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.engine.EngineDefinition;
import kvrank.provision.host.ProvisionException;
import kvrank.scenario.read.TestHome;
import org.junit.jupiter.api.Test;

class PlaceholdersTest {

  private final Placeholders placeholders =
      new Placeholders("ssdb", new TreeMap<>(Map.of("port", "8888", "data", "/d $1 \\")));

  @Test
  void replacesEachPlaceholderByItsValueAsItIs() throws ProvisionException {
    assertThat(placeholders.resolve("a ${port}${port} ${data}")).isEqualTo("a 88888888 /d $1 \\");
    assertThat(placeholders.resolve("$port {name} $$")).isEqualTo("$port {name} $$");
  }

  @Test
  void namesEngineAndPlaceholderIfItIsUnknown() {
    assertThatThrownBy(() -> placeholders.resolve("--at ${prot}"))
        .isInstanceOf(ProvisionException.class)
        .hasMessage(
            "unknown placeholder '${prot}' in '--at ${prot}' of ssdb; known here are [data, port]");
  }

  @Test
  void givesEverySettingInTheEnginesForm() throws ProvisionException {
    SortedMap<String, String> settings = new TreeMap<>(Map.of("a", "{name}", "b", ""));
    assertThat(
            placeholders.arguments(
                List.of("-p", "${port}", "${settings}", "end"),
                settings,
                List.of("--{name}", "{value}")))
        .containsExactly("-p", "8888", "--a", "{name}", "--b", "", "end");
    assertThat(placeholders.arguments(List.of("${settings}"), settings, List.of("{name}={value}")))
        .containsExactly("a={name}", "b=");
  }

  @Test
  void aSettingCanHoldPlaceholdersAndBeOne() throws ProvisionException {
    Placeholders.Configuration configuration =
        Placeholders.Configuration.of(
            new TestRedis(Path.of("unused")).definition(),
            new TreeMap<>(Map.of("pidfile", "${data}/pid")),
            new TreeMap<>(Map.of("data", "/d", "port", "1", "bind", "::1")));
    assertThat(configuration.settings()).containsEntry("pidfile", "/d/pid");
    assertThat(configuration.arguments())
        .containsExactly("--port", "1", "--bind", "::1", "--dir", "/d", "--pidfile", "/d/pid");
    assertThat(configuration.files()).containsEntry("note.txt", "data is in /d\n");
    assertThat(
            placeholders
                .withSettings(new TreeMap<>(Map.of("cache", "500")))
                .resolve("cache_size: ${settings.cache}"))
        .isEqualTo("cache_size: 500");
  }

  /** Another user who saw it there took it before the server. */
  @Test
  void redisGetsItsPortWithItsPassword() throws Exception {
    SortedMap<String, String> places =
        new TreeMap<>(Map.of("data", "/d", "port", "47110", "bind", "::1"));
    SortedMap<String, String> password = new TreeMap<>(Map.of("password", "x"));
    List<EngineDefinition> engines =
        TestHome.engines().stream()
            .filter(engine -> engine.name().matches("redis|redis-32bit|valkey|keydb"))
            .toList();
    assertThat(engines).hasSize(4);
    for (EngineDefinition engine : engines) {
      Placeholders.Guarded guarded =
          Placeholders.Configuration.of(engine, new TreeMap<>(), places)
              .guarded(engine, password, places);
      assertThat(guarded.arguments())
          .startsWith("/d/password.conf")
          .noneMatch(argument -> argument.contains("47110"));
      assertThat(guarded.files().get("password.conf")).startsWith("port 47110\nrequirepass x\n");
    }
  }
}
