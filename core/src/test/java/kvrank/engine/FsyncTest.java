package kvrank.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import kvrank.Wording;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.EngineSpec.ServerChoice;
import kvrank.scenario.read.ScenarioReader;
import kvrank.scenario.read.TestHome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Levels of durability, and how the engines that come with kvrank are asked for them. */
class FsyncTest {

  @RegisterExtension final Wording wording = new Wording();

  private static final Fsync SECOND = Fsync.every(Duration.ofSeconds(1));
  private static final Fsync TENTH = Fsync.every(Duration.ofMillis(100));

  private static EngineSpec engine(String name, Map<String, String> options) throws Exception {
    Path file = TestHome.PROJECT.resolve("bindings/" + name + "/engine.yaml");
    EngineDefinition definition = new ScenarioReader(TestHome.PROJECT).readEngine(file);
    return new EngineSpec(name, definition, new TreeMap<>(options), Optional.empty());
  }

  private static EngineSpec engine(String name) throws Exception {
    return engine(name, Map.of());
  }

  @Test
  void theStrongestLevelIsFirst() {
    List<Fsync> levels = List.of(Fsync.ON, TENTH, SECOND, Fsync.OFF, Fsync.NONE, Fsync.AS_IS);
    assertThat(levels).isSortedAccordingTo(Fsync.STRONGEST_FIRST);
  }

  @Test
  void aLabelIsReadAsItIsWritten() {
    for (Fsync level : List.of(Fsync.ON, Fsync.OFF, Fsync.NONE, Fsync.AS_IS, SECOND, TENTH)) {
      assertThat(Fsync.of(level.label())).isEqualTo(level);
    }
    assertThat(TENTH.label()).isEqualTo("every-100ms");
    assertThat(Fsync.of("everysec")).isEqualTo(SECOND);
    assertThat(Fsync.parse("every-0s")).isEmpty();
  }

  @Test
  void anIntervalIsWhatTheTimerKnows() throws Exception {
    assertThat(engine("redis").settings(SECOND)).containsEntry("appendfsync", "everysec");
    assertThat(engine("redis").unsupported(SECOND)).isEmpty();
    wording.check(engine("redis").unsupported(TENTH).orElseThrow());
    wording.check(engine("rocksdb").unsupported(SECOND).orElseThrow());
    assertThat(engine("tidesdb").properties(TENTH))
        .containsEntry("sync-interval-micros", "100000")
        .containsEntry("sync", "false");
    assertThat(engine("buntdb").properties(SECOND)).containsEntry("sync", "everysec");
  }

  @Test
  void offIsNoneWithoutALog() throws Exception {
    assertThat(engine("caffeine").level(Fsync.OFF)).isEqualTo(Fsync.NONE);
    assertThat(engine("caffeine").level(Fsync.ON)).isEqualTo(Fsync.ON);
    assertThat(engine("caffeine").unsupported(Fsync.ON)).isPresent();
    assertThat(engine("redis").level(Fsync.OFF)).isEqualTo(Fsync.OFF);
    assertThat(engine("redis", Map.of("appendonly", "no")).level(Fsync.OFF)).isEqualTo(Fsync.NONE);
    assertThat(engine("map", Map.of("log", "none")).level(Fsync.OFF)).isEqualTo(Fsync.NONE);
    assertThat(engine("mapdb").level(Fsync.OFF)).isEqualTo(Fsync.OFF);
    assertThat(engine("noop").level(Fsync.OFF)).isEqualTo(Fsync.OFF);
    assertThat(engine("redis").settings(Fsync.NONE)).containsEntry("appendonly", "no");
  }

  @ParameterizedTest
  @CsvSource({
    "on,true",
    "every-1s,true",
    "at-least-every-1s,true",
    "as-is,true",
    "'',true",
    "off,false",
    "none,false"
  })
  void aSettingMayPromiseUnlessItsLevelHasNoSyncs(String setting, boolean may) {
    assertThat(Fsync.mayPromise(setting)).isEqualTo(may);
  }

  @Test
  void onlyAnExternalServerIsAsItIs() throws Exception {
    EngineSpec redis = engine("redis");
    assertThat(redis.unsupported(Fsync.AS_IS)).isPresent();
    ServerChoice external = new ServerChoice(ProvisionMethod.EXTERNAL, "localhost:6379");
    EngineSpec theirs =
        new EngineSpec("redis", redis.definition(), redis.options(), Optional.of(external));
    assertThat(theirs.unsupported(Fsync.AS_IS)).isEmpty();
    assertThat(redis.definition().level(Fsync.AS_IS).facts()).isEmpty();
  }
}
