package kvrank.provision.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.provision.host.ProvisionException;
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
}
