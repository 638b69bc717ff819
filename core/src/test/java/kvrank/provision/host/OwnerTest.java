package kvrank.provision.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

class OwnerTest {

  @Test
  void thisProcessLivesAndIsFoundByItsMark() {
    Owner self = Owner.self();
    assertThat(self.lives()).isTrue();
    assertThat(Owner.marked("kvrank-worker-" + self.mark() + "-1234")).contains(self);
  }

  @Test
  void aReusedPidIsNotTheOwner() {
    long pid = Owner.self().pid();
    assertThat(new Owner(pid, "1.00000000").lives()).isFalse();
    assertThat(new Owner(pid, "0").lives()).isFalse();
    assertThat(Owner.of(Integer.MAX_VALUE).lives()).isFalse();
  }

  @Test
  void anOwnerInAnotherPidNamespaceMayLive() {
    Owner self = Owner.self();
    assumeTrue(self.start().matches("\\d+\\.[0-9a-f]{8}\\.\\d+"), "pid namespaces have numbers");
    Owner old = new Owner(self.pid(), self.start().replaceFirst("\\.\\d+$", ""));
    assertThat(old.lives()).as("of a version that wrote none").isTrue();
    assertThat(old.hasEnded()).isFalse();

    Owner elsewhere = new Owner(self.pid(), old.start() + ".1");
    assertThat(Owner.marked("kvrank-owns-" + elsewhere.mark() + "-12")).contains(elsewhere);
    assertThat(elsewhere.lives()).isFalse();
    assertThat(elsewhere.hasEnded())
        .as("the first namespace sees that 1 has no process")
        .isEqualTo(self.start().endsWith(".4026531836"));

    Owner beforeReboot = new Owner(1, "1.00000000.1");
    assertThat(beforeReboot.hasEnded()).isTrue();
  }

  @Test
  void aNameWithoutAMarkHasNoOwner() {
    assertThat(Owner.marked("kvrank-worker-8122409053204618711")).isEmpty();
  }
}
