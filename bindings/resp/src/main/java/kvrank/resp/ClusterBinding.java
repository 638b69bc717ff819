package kvrank.resp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import kvrank.binding.BindingProperties;
import kvrank.binding.ByteSource;
import kvrank.binding.ErrorLog;
import kvrank.binding.KeyCount;
import kvrank.binding.KeyValueBinding;
import kvrank.binding.RecordBuffer;
import kvrank.binding.RefusedException;
import kvrank.binding.ValueBuffer;
import kvrank.binding.net.Endpoint;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.SetParams;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * A cluster of servers that speak Redis's protocol, by Jedis's own client of one: it knows which
 * member has a key, and goes after one that has moved. Each client thread has such a client for
 * itself, with one connection to each member that it has asked for something.
 *
 * <p>{@link Endpoint#members} has its properties. The property {@code attempts} is the number of
 * times that the client sends a request, 5 by default. With fewer than 3 it never pauses in
 * between; after the last it asks the members again who has which key.
 */
public final class ClusterBinding extends KeyValueBinding implements KeyCount {

  private static final int DEFAULT_ATTEMPTS = 5;

  private final ErrorLog log = ErrorLog.standard();
  private List<Endpoint> members;
  private String name;
  private RedisClusterClient client;

  @Override
  public void init() throws DBException {
    BindingProperties properties = new BindingProperties(getProperties());
    members = Endpoint.members(properties);
    int attempts = (int) properties.number("attempts", 1, 100, DEFAULT_ATTEMPTS);
    name = members.stream().map(Endpoint::toString).collect(Collectors.joining(","));
    Endpoint first = members.get(0);
    ConnectionPoolConfig one = new ConnectionPoolConfig();
    one.setMaxTotal(1);
    one.setJmxEnabled(false);
    // Without a thread of its own that looks after idle connections.
    one.setTimeBetweenEvictionRuns(Duration.ofMillis(-1));
    try {
      client =
          RedisClusterClient.builder()
              .nodes(
                  members.stream()
                      .map(each -> new HostAndPort(each.host(), each.port()))
                      .collect(Collectors.toSet()))
              .clientConfig(
                  RespConnection.config(first)
                      .connectionTimeoutMillis(millis(Endpoint.CONNECT_TIMEOUT))
                      .socketTimeoutMillis(millis(first.timeout()))
                      .build())
              .poolConfig(one)
              .maxAttempts(attempts)
              .maxTotalRetriesDuration(first.timeout())
              .build();
    } catch (JedisException e) {
      throw new DBException(name + ": " + RespConnection.reason(e).getMessage(), e);
    }
  }

  private static int millis(Duration duration) {
    return Math.toIntExact(duration.toMillis());
  }

  /** What is asked of one member. */
  private interface Question<T> {

    T of(RespConnection connection) throws IOException, RefusedException;
  }

  private static <T> T ask(Endpoint member, Question<T> question) throws IOException {
    try (RespConnection connection = RespConnection.open(member)) {
      return question.of(connection);
    } catch (RefusedException | IOException e) {
      throw new IOException(member + ": " + e.getMessage(), e);
    }
  }

  /** Adds up all owners. Kvrocks counts only on request, so a page of its keys decides. */
  @Override
  public long keyCount() throws IOException {
    long count = 0;
    for (Endpoint owner : owners()) {
      count += ask(owner, each -> Math.max(RespBinding.count(each), page(each)));
    }
    return count;
  }

  /** Returns the servers that hold the keys now, as the first member that answers knows them. */
  private Set<Endpoint> owners() throws IOException {
    IOException silence = new IOException(name + ": none of them answers");
    for (Endpoint member : members) {
      try {
        return ask(member, each -> owners(member, each));
      } catch (IOException e) {
        silence.addSuppressed(e);
      }
    }
    throw silence;
  }

  private static Set<Endpoint> owners(Endpoint asked, RespConnection connection)
      throws IOException, RefusedException {
    connection.send(Command.CLUSTER, RespBinding.bytes("SLOTS"));
    Set<Endpoint> owners = new LinkedHashSet<>();
    for (Object slots : (List<?>) connection.receive()) {
      // First and last slot, then the servers: each with address and port, the owner first.
      List<?> owner = (List<?>) ((List<?>) slots).get(2);
      byte[] host = (byte[]) owner.get(0);
      owners.add(
          asked.at(
              // A server that does not have its own address yet leaves it out.
              host == null || host.length == 0 ? asked.host() : new String(host, UTF_8),
              Math.toIntExact((long) owner.get(1))));
    }
    return owners;
  }

  private static long page(RespConnection connection) throws IOException, RefusedException {
    connection.send(Command.SCAN, RespBinding.bytes("0"));
    return ((List<?>) ((List<?>) connection.receive()).get(1)).size();
  }

  /** Of the first member that has one. */
  @Override
  public String eviction() throws IOException {
    for (Endpoint member : members) {
      String rule = ask(member, RespBinding::rule);
      if (!rule.isEmpty()) {
        return rule;
      }
    }
    return "";
  }

  @Override
  public void cleanup() {
    if (client != null) {
      client.close();
    }
  }

  @Override
  public Status read(byte[] key, ValueBuffer value) {
    return answer(
        () -> {
          byte[] found = client.get(key);
          if (found == null) {
            return Status.NOT_FOUND;
          }
          value.wrap(found);
          return Status.OK;
        });
  }

  @Override
  public Status insert(byte[] key, ByteSource value) {
    return update(key, value);
  }

  @Override
  public Status update(byte[] key, ByteSource value) {
    return answer(
        () -> {
          int seconds = value.ttlSeconds();
          byte[] bytes = value.toByteArray();
          String said =
              seconds > 0
                  ? client.set(key, bytes, SetParams.setParams().ex(seconds))
                  : client.set(key, bytes);
          return said.equals("OK") ? Status.OK : Status.ERROR;
        });
  }

  @Override
  public Status delete(byte[] key) {
    return answer(() -> client.del(key) == 0 ? Status.NOT_FOUND : Status.OK);
  }

  @Override
  public Status scan(byte[] start, int limit, RecordBuffer records) {
    return Status.NOT_IMPLEMENTED;
  }

  private Status answer(Supplier<Status> request) {
    try {
      return request.get();
    } catch (JedisException e) {
      log.report(name + ": " + RespConnection.reason(e).getMessage());
      return Status.ERROR;
    }
  }
}
