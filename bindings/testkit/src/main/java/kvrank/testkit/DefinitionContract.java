package kvrank.testkit;

import static kvrank.testkit.Records.TABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import kvrank.binding.BatchOperations;
import kvrank.binding.EngineCounters;
import kvrank.binding.EngineFacts;
import kvrank.binding.Multiplexed;
import kvrank.binding.Pipelined;
import kvrank.binding.PrefixScan;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ReverseScan;
import kvrank.engine.Capability;
import kvrank.engine.EngineDefinition.FsyncLevel;
import kvrank.engine.Fsync;
import kvrank.fact.Fact;
import kvrank.provision.server.Server;
import org.junit.jupiter.api.Test;
import site.ycsb.DB;

/** What {@code engine.yaml} says is so. */
interface DefinitionContract {

  Subject subject();

  @Test
  default void capabilitiesAreThoseOfTheBinding() throws Exception {
    DB binding = subject().open();
    String key = subject().freshKey();
    Records.insert(binding, key);
    assertThat(claimed(Capability.BATCH))
        .isEqualTo(
            binding instanceof BatchOperations batches
                && batches
                    .batchInsert(List.of(Records.bytes(key)), List.of(Records.source(new byte[1])))
                    .isOk());
    assertThat(claimed(Capability.PIPELINE)).isEqualTo(binding instanceof Pipelined);
    assertThat(claimed(Capability.CONNECTIONS)).isEqualTo(binding instanceof Multiplexed);
    assertThat(claimed(Capability.PREFIX_SCAN))
        .isEqualTo(
            binding instanceof PrefixScan scans
                && scans.prefixScan(Records.bytes(key), 1, new RecordBuffer()).isOk());
    assertThat(claimed(Capability.REVERSE_SCAN))
        .isEqualTo(
            binding instanceof ReverseScan scans
                && scans.reverseScan(Records.bytes(key), 1, new RecordBuffer()).isOk());
    assertThat(claimed(Capability.RANGE_SCAN))
        .isEqualTo(Records.scan(binding, key, 1, new ArrayList<>()).isOk());
    assertThat(claimed(Capability.READ)).isEqualTo(Records.statusOfRead(binding, key).isOk());
    assertThat(claimed(Capability.UPDATE))
        .isEqualTo(binding.update(TABLE, key, Records.record(new byte[1])).isOk());
    assertThat(claimed(Capability.DELETE)).isEqualTo(binding.delete(TABLE, key).isOk());
    assertThat(claimed(Capability.INSERT)).isTrue();
  }

  /** Engines in other languages have a function in their library for them. */
  @Test
  default void figuresOverTimeAreToldWheneverTheyAreAsked() throws Exception {
    DB binding = subject().open();
    assumeTrue(binding instanceof EngineCounters, "it has no figures over time");
    EngineCounters counting = (EngineCounters) binding;
    assertThat(Counts.of(counting).keySet())
        .isEqualTo(Counts.of(counting).keySet())
        .allMatch(name -> name.matches("[a-z0-9_-]+"));
  }

  private boolean claimed(Capability capability) {
    return subject().claims(capability);
  }

  /** Each durability is asked for in a way that the engine accepts and confirms. */
  @Test
  default void durabilityIsReadBack() throws Exception {
    for (Fsync fsync : subject().levels()) {
      FsyncLevel level = subject().definition().level(fsync);
      try (Server server = subject().startServer(fsync)) {
        DB binding = subject().open(server, server.connection(), fsync);
        Map<String, String> facts = server.facts().parts(Fact.ENGINE);
        if (binding instanceof EngineFacts embedded) {
          facts.putAll(embedded.facts());
        }
        System.out.printf("%s, fsync %s: %s%n", subject(), fsync.label(), facts);
        assertThat(facts).containsAllEntriesOf(level.facts()).containsKey("version");
        String key = subject().freshKey();
        Records.insert(binding, key);
        assertThat(Records.read(binding, key)).isEqualTo(Records.valueFor(key));
        binding.cleanup();
      }
    }
  }

  @Test
  default void closingTwiceIsHarmless() throws Exception {
    DB binding = subject().open();
    binding.cleanup();
    binding.cleanup();
  }
}
