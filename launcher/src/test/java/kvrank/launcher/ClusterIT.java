package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A cluster of Redis servers is one row, and no less careful of what is others' than one server.
 */
class ClusterIT extends InstalledKvrank {

  private static final String EVERYSEC = "--appendonly yes --appendfsync everysec";

  /** Its slot is 15495. */
  private static final String KEY_OF_THIRD = "a";

  private final List<RedisServer> servers = new ArrayList<>();
  private final List<RedisServer> members = new ArrayList<>();

  /** Three members of a cluster, and one server for itself. */
  @BeforeEach
  void start() throws Exception {
    for (int i = 0; i < 3; i++) {
      String bus = " --cluster-enabled yes --cluster-port " + RedisServer.freePort();
      members.add(server(EVERYSEC + bus));
    }
    RedisServer.cluster(home, members, 0);
    for (RedisServer each : members) {
      each.await("cluster_state:ok", "CLUSTER", "INFO");
    }
    server(EVERYSEC);
  }

  private RedisServer server(String options) throws IOException {
    RedisServer server = RedisServer.start(home, options.split(" ", -1));
    servers.add(server);
    return server;
  }

  @AfterEach
  void stop() throws IOException {
    for (RedisServer each : servers) {
      each.close();
    }
  }

  @Test
  void aClusterIsRankedBesideOneServer() throws Exception {
    scenario("beside", addresses(0, 1, 2), "{every: 1s}");

    Execution execution = kvrank("run", "beside");

    assertThat(execution.status()).as(execution.text()).isZero();
    assertThat(execution.text()).containsPattern("(?m)^ *cluster .*x \\(\\d");
    for (int i = 1; i <= 3; i++) {
      assertThat(record("beside", "cluster.r1"))
          .contains(
              "\"member.%d.address\" : \"%s\"".formatted(i, members.get(i - 1).address()),
              "\"engine.member.%d.appendfsync\" : \"everysec\"".formatted(i),
              "\"engine.member.%d.version\" : ".formatted(i),
              "\"engine.member.%d.used_memory\" : ".formatted(i));
    }
    for (RedisServer each : servers) {
      assertThat((String) each.ask("INFO", "commandstats")).contains("cmdstat_set:calls=");
      assertThat(each.ask("DBSIZE")).isEqualTo("0");
    }

    Execution pipelined = kvrank("plan", "beside", "--set", "pipeline=16");
    assertThat(pipelined.status()).as(pipelined.text()).isZero();
    assertThat(pipelined.text().replaceAll("\\s+", " "))
        .contains("cluster: redis as a cluster has no pipeline")
        .doesNotContain("one: redis ");

    servers.get(1).ask("CONFIG", "SET", "appendfsync", "no");
    Execution weaker = kvrank("run", "beside");
    assertThat(weaker.status()).as(weaker.text()).isEqualTo(1);
    assertThat(weaker.text())
        .contains(
            "its member %s was asked for appendfsync=everysec and reports 'no'"
                .formatted(members.get(1).address()));
    Execution asIs = kvrank("run", "beside", "--set", "fsync=as-is");
    assertThat(asIs.status()).as(asIs.text()).isZero();
    assertThat(record("beside", "cluster.r1"))
        .contains("\"engine.appendfsync\" : \"everysec and no\"");
  }

  @Test
  void whatIsOnAMemberStays() throws Exception {
    members.get(2).ask("SET", KEY_OF_THIRD, "theirs");
    scenario("foreign", addresses(0, 1, 2), "as-is");
    Execution refused = kvrank("run", "foreign", "--engines", "cluster");
    assertThat(refused.status()).as(refused.text()).isEqualTo(1);
    assertThat(refused.text().replaceAll("\\s+", " "))
        .contains(
            "'%s' is not empty: it holds 1 key; nothing was written".formatted(addresses(0, 1, 2)));

    scenario(
        "shared",
        "{address: '%s', may-share: true}".formatted(addresses(0, 1, 2)),
        "as-is",
        "key-bytes: 32");
    Execution shared = kvrank("run", "shared", "--engines", "cluster");
    assertThat(shared.status()).as(shared.text()).isZero();
    assertThat(members.get(2).ask("GET", KEY_OF_THIRD)).isEqualTo("theirs");
    assertThat(members).extracting(each -> each.ask("DBSIZE")).containsExactly("0", "0", "1");
  }

  @Test
  void addressesThatAreNoClusterAreNotWrittenTo() throws Exception {
    assertRefused(addresses(0), "'%s' is a member of a cluster; name the servers");
    assertRefused(addresses(0, 1), "'%s' is a member of a cluster; name the servers");
    assertRefused(addresses(0, 1, 0), "'%1$s' and '%1$s' are the same member of a cluster");
    assertRefused(addresses(3, 0), "'%s' is not a member of a cluster");
    String all =
        members.stream().map(RedisServer::address).sorted().collect(Collectors.joining(","));
    assertThat(lastRefusal(addresses(0, 1))).contains("and no others: 'external: \"" + all + "\"'");
    members.get(2).close();
    assertThat(lastRefusal(addresses(0, 1, 2)))
        .contains("'%s' cannot be reached: ".formatted(members.get(2).address()));
    for (RedisServer each : List.of(servers.get(0), servers.get(1), servers.get(3))) {
      assertThat((String) each.ask("INFO", "commandstats")).doesNotContain("cmdstat_set:");
    }
  }

  private void assertRefused(String addresses, String why) throws Exception {
    String first = addresses.split(",", -1)[0];
    assertThat(lastRefusal(addresses)).contains(why.formatted(first));
  }

  private String lastRefusal(String addresses) throws Exception {
    scenario("refused", addresses, "as-is");
    Execution execution = kvrank("run", "refused", "--engines", "cluster");
    assertThat(execution.status()).as(execution.text()).isEqualTo(3);
    return execution.text().replaceAll("\\s+", " ");
  }

  /** Returns the addresses of servers by their numbers; the last is in no cluster. */
  private String addresses(int... numbers) {
    return IntStream.of(numbers)
        .mapToObj(each -> servers.get(each).address())
        .collect(Collectors.joining(","));
  }

  private void scenario(String name, String external, String fsync, String... more)
      throws IOException {
    scenario(
        name,
        """
        question: Are three servers faster than one?
        engines:
          - {engine: redis, as: cluster, server: {external: %s}}
          - {engine: redis, as: one, server: {external: '%s'}}
        fsync: %s
        records: 2_000
        threads: 4
        phases: [load, zipfian, set-get, delete]
        measure: {warmup: 0s, duration: 500ms}
        repetitions: 1
        verify: values
        %s
        """
            .formatted(
                external.startsWith("{") ? external : "'" + external + "'",
                servers.get(3).address(),
                fsync,
                String.join("\n", more)));
  }
}
