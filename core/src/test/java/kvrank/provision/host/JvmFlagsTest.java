package kvrank.provision.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JvmFlagsTest {

  @Test
  void flagsMustLetTheJvmStart() {
    assertThat(JvmFlags.refusal(List.of())).isEmpty();
    assertThat(JvmFlags.refusal(List.of("--add-opens=java.base/java.nio=ALL-UNNAMED"))).isEmpty();
    assertThat(JvmFlags.refusal(List.of("--add-exports=no.such/thing=ALL-UNNAMED"))).isEmpty();
    assertThat(JvmFlags.refusal(List.of("-Xmx64m"))).isEmpty();
    assertThat(JvmFlags.refusal(List.of("-Dsome=thing", "--add-open=java.base/java.nio")))
        .hasValue("Unrecognized option: --add-open=java.base/java.nio");
    assertThat(JvmFlags.refusal(List.of("-XX:+UseSerialGC")))
        .get()
        .asString()
        .contains("collector");
    assertThat(JvmFlags.refusal("map", List.of("-Xmx64m", "-XX:+NoSuchFlag")))
        .hasValue(
            "the worker's JVM refuses binding.jvm of the engine.yaml of map, -Xmx64m"
                + " -XX:+NoSuchFlag: Unrecognized VM option 'NoSuchFlag'");
    assertThat(JvmFlags.refusal(List.of("-Xmx1"))).hasValue("Too small maximum heap");
  }
}
