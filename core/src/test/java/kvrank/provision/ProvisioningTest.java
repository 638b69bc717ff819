package kvrank.provision;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ProvisioningTest {

  @Test
  void anEngineThatDoesNotReportItsDurabilityIsRefusedWithTheReason() {
    refused(Map.of("sync", "true"), "reports 'true'");
    refused(Map.of(), "does not report it");
    refused(Map.of("unknown", "no version"), "does not report it: no version");
  }

  private static void refused(Map<String, String> answers, String how) {
    SortedMap<String, String> expected = new TreeMap<>(Map.of("sync", "false"));
    assertThatThrownBy(() -> Provisioning.check(expected, new TreeMap<>(answers), "some"))
        .isInstanceOf(ProvisionException.class)
        .hasMessage("some was asked for sync=false and " + how);
  }
}
