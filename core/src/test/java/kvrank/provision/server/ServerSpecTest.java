package kvrank.provision.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import kvrank.engine.ProvisionMethod;
import kvrank.provision.host.ProvisionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerSpecTest {

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "appendfsync, no, reports 'no'",
        "version, 7, does not report it",
        "unknown, no version, does not report it: no version"
      })
  void anEngineThatDoesNotReportItsDurabilityIsRefusedWithTheReason(
      String fact, String answer, String how) {
    Path unused = Path.of("unused");
    ServerSpec spec = new TestRedis(unused).server(ProvisionMethod.PROCESS, "redis", unused);
    assertThatThrownBy(() -> spec.requireExpected(new TreeMap<>(Map.of(fact, answer)), "some"))
        .isInstanceOf(ProvisionException.class)
        .hasMessage("some was asked for appendfsync=always and " + how);
  }
}
