package kvrank.provision.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ClusterViewTest {

  private static String moved(Map<String, String> before, Map<String, String> after) {
    return ClusterView.moved(new TreeMap<>(before), new TreeMap<>(after));
  }

  @Test
  void movedSlotsAreNamed() {
    Map<String, String> before = Map.of("a:1", "0-99", "b:1", "100-199");
    assertThat(moved(before, before)).isEmpty();
    assertThat(moved(before, Map.of("a:1", "0-49", "b:1", "50-199")))
        .isEqualTo("a:1 had 0-99, has 0-49; b:1 had 100-199, has 50-199");
    assertThat(moved(before, Map.of("a:1", "0-99", "c:1", "100-199")))
        .as("a failover")
        .isEqualTo("b:1 had 100-199, has none; c:1 had none, has 100-199");
  }
}
