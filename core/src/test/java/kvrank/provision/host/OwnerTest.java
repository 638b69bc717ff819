package kvrank.provision.host;

import static org.assertj.core.api.Assertions.assertThat;

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
  void aNameWithoutAMarkHasNoOwner() {
    assertThat(Owner.marked("kvrank-worker-8122409053204618711")).isEmpty();
  }
}
