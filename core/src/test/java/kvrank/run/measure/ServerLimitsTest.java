package kvrank.run.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kvrank.Wording;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.plan.Planner;
import kvrank.plan.RunSpec;
import kvrank.scenario.read.ScenarioReader;
import kvrank.scenario.read.TestHome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The shipped engines' servers, by what they report. */
class ServerLimitsTest {

  @RegisterExtension final Wording wording = new Wording();

  private static final String EXTERNAL = ", server: {external: 'localhost:1'}";

  @TempDir private Path folder;

  private ServerLimits limits(String engine, String server, Map<String, String> reported)
      throws Exception {
    Path file = folder.resolve("one.yaml");
    Files.writeString(
        file,
        """
        question: Which one?
        engines: [{engine: %s%s}]
        fsync: %s
        phases: [{workload: get, threads: 40, connections: 2}]
        value-bytes: 2000
        """
            .formatted(engine, server, server.isEmpty() ? "none" : "as-is"));
    RunSpec run =
        Planner.plan(new ScenarioReader(TestHome.PROJECT).read(file, List.of(), List.of()))
            .runs()
            .get(0);
    Facts facts = new Facts();
    reported.forEach((name, value) -> facts.put(Fact.ENGINE, name, value));
    return new ServerLimits(run, facts);
  }

  @Test
  void aServerThatMayEvictRecordsIsACache() throws Exception {
    Map<String, String> lru = Map.of("maxmemory", "3145728", "maxmemory-policy", "allkeys-lru");
    assertThat(limits("redis", EXTERNAL, lru).evicts()).isTrue();
    assertThat(limits("redis", "", lru).evicts()).as("of ours, it is a setting").isFalse();
    assertThat(limits("memcached", EXTERNAL, Map.of("evictions", "on")).evicts()).isTrue();
    assertThat(
            limits(
                    "redis",
                    EXTERNAL,
                    Map.of("maxmemory", "0 and 512", "maxmemory-policy", "allkeys-lru"))
                .evicts())
        .as("one member of a cluster")
        .isTrue();
  }

  @Test
  void othersKeepTheirRecords() throws Exception {
    for (Map<String, String> reported :
        List.of(
            Map.of("maxmemory", "0", "maxmemory-policy", "allkeys-lru"),
            Map.of("maxmemory", "3145728", "maxmemory-policy", "noeviction"),
            Map.of("maxmemory", "3145728", "maxmemory-policy", "volatile-lru"),
            Map.of("maxmemory", "3145728"))) {
      assertThat(limits("redis", EXTERNAL, reported).evicts()).as("%s", reported).isFalse();
    }
    assertThat(limits("memcached", EXTERNAL, Map.of("evictions", "off")).evicts()).isFalse();
  }

  @Test
  void connectionsAreCountedBefore() throws Exception {
    assertThat(crowded("redis", "82")).isEmpty();
    wording.check(crowded("redis", "82 and 81").orElseThrow());
    assertThat(crowded("memcached", "40"))
        .hasValueSatisfying(
            problem -> assertThat(problem).startsWith("the server accepts 40 connections"));
    assertThat(limits("redis", EXTERNAL, Map.of()).problem()).as("unknown").isEmpty();
  }

  @Test
  void recordsOfAnExternalServerAreMeasuredBefore() throws Exception {
    assertThat(limits("memcached", EXTERNAL, Map.of("max-item-size", "2075")).problem())
        .as("with its header and a key of 16 bytes")
        .isEmpty();
    wording.check(
        limits("memcached", EXTERNAL, Map.of("max-item-size", "2074")).problem().orElseThrow());
    assertThat(limits("memcached", EXTERNAL, Map.of()).problem()).as("unknown").isEmpty();
  }

  private Optional<String> crowded(String engine, String limit) throws Exception {
    ServerLimits limits = limits(engine, EXTERNAL, Map.of());
    limits.facts().put(Fact.CONNECTIONS_LIMIT, limit);
    return limits.problem();
  }
}
