package kvrank.provision.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

class ContainerLabelsTest {

  @Test
  void distinguishesLivingFromEndedOwners() {
    SortedMap<String, String> labels = ContainerLabels.of("1");
    assertThat(labels)
        .containsEntry("kvrank.run", "1")
        .containsEntry("kvrank.owner-pid", Long.toString(ProcessHandle.current().pid()));
    assertThat(ContainerLabels.ownerHasEnded(labels)).isFalse();
    // Its pid was given to another process since.
    labels.put("kvrank.owner-start", "1");
    assertThat(ContainerLabels.ownerHasEnded(labels)).isTrue();
  }

  @Test
  void leavesOtherHostsAndForeignContainersUntouched() {
    SortedMap<String, String> labels = ContainerLabels.of("1");
    labels.put("kvrank.owner-start", "1");
    labels.put("kvrank.owner-host", "another host");
    assertThat(ContainerLabels.ownerHasEnded(labels)).isFalse();
    assertThat(ContainerLabels.ownerHasEnded(Map.of())).isFalse();
  }
}
