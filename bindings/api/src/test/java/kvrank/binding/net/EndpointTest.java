package kvrank.binding.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Properties;
import kvrank.binding.BindingProperties;
import org.junit.jupiter.api.Test;
import site.ycsb.DBException;

final class EndpointTest {

  @Test
  void theTimeoutHasADefault() throws Exception {
    assertThat(Endpoint.of(properties("host", "h", "port", "7")))
        .isEqualTo(new Endpoint("h", 7, Duration.ofSeconds(30)))
        .hasToString("h:7");
  }

  @Test
  void aMissingOrInvalidPropertyIsNamed() {
    assertThatThrownBy(() -> Endpoint.of(properties("host", "h")))
        .isInstanceOf(DBException.class)
        .hasMessageContainingAll("'port'", "missing");
    assertThatThrownBy(() -> Endpoint.of(properties("host", "h", "port", "x")))
        .isInstanceOf(DBException.class)
        .hasMessageContainingAll("'port'", "number", "'x'");
  }

  private static BindingProperties properties(String... pairs) {
    Properties properties = new Properties();
    for (int i = 0; i < pairs.length; i += 2) {
      properties.setProperty(pairs[i], pairs[i + 1]);
    }
    return new BindingProperties(properties);
  }
}
