package kvrank.run.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PhaseSequenceTest {

  @Test
  void whatAnEngineYamlSaysWrongIsSaidWithItsKey() {
    String engine = "map";
    String jvm =
        """
        the worker JVM (pid 7) ended with exit status 1; the end of worker.log:
        Unrecognized VM option 'NoSuchFlag'
        Error: Could not create the Java Virtual Machine.
        Error: A fatal exception has occurred. Program will exit.""";
    assertThat(PhaseSequence.named(jvm, engine))
        .isEqualTo(
            "the worker's JVM refuses binding.jvm of the engine.yaml of map: Unrecognized VM option"
                + " 'NoSuchFlag'");
    assertThat(PhaseSequence.named("data: there is no property 'lgo'; known are log", engine))
        .isEqualTo(
            "data: there is no property 'lgo'; known are log; properties are in binding.properties"
                + " of the engine.yaml of map");
    assertThat(PhaseSequence.named("it broke", engine)).isEqualTo("it broke");
  }
}
