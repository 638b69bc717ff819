package kvrank.provision.server;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import kvrank.engine.EngineDefinition.Exchange;
import kvrank.provision.host.ProvisionException;

/**
 * Finds connections of others to a server that kvrank started, by the number that the server has
 * accepted: its report {@code connections}.
 */
final class ConnectionCount {

  private static final String REPORT = "connections";

  private final ServerAddress endpoint;
  private final Exchange question;
  private final boolean open;
  private final long accepted;
  private final long asked;
  private long known;

  private ConnectionCount(
      ServerAddress endpoint, Exchange question, boolean open, long accepted, long asked) {
    this.endpoint = endpoint;
    this.question = question;
    this.open = open;
    this.accepted = accepted;
    this.asked = asked;
  }

  /**
   * Returns the count of a started server; empty if the server does not report it. Without a
   * password, each connection since the start counts; otherwise those that others have now, as some
   * servers count their listeners, too.
   *
   * @param before {@link TcpProbe#opened} before the start
   */
  static Optional<ConnectionCount> of(
      ServerSpec spec, ReadyServer ready, Map<String, Long> before) {
    Exchange question = spec.definition().reports().get(REPORT);
    if (question == null) {
      return Optional.empty();
    }
    ServerAddress endpoint = ready.endpoints().get(0);
    OptionalLong accepted = accepted(endpoint, question);
    if (accepted.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        endpoint.login().isEmpty()
            ? new ConnectionCount(
                endpoint, question, true, 0, before.getOrDefault(endpoint.toString(), 0L))
            : new ConnectionCount(
                endpoint,
                question,
                false,
                accepted.getAsLong() - ConnectionWatch.users(endpoint).size(),
                asked(endpoint)));
  }

  private static long asked(ServerAddress endpoint) {
    return TcpProbe.opened().getOrDefault(endpoint.toString(), 0L);
  }

  private static OptionalLong accepted(ServerAddress endpoint, Exchange question) {
    try {
      String answer =
          TcpProbe.answers(endpoint, new TreeMap<>(Map.of(REPORT, question)))
              .getOrDefault(REPORT, "");
      return answer.matches("\\d{1,18}")
          ? OptionalLong.of(Long.parseLong(answer))
          : OptionalLong.empty();
    } catch (ProvisionException silent) {
      return OptionalLong.empty();
    }
  }

  /** Returns whether clients without a password can use the server. */
  boolean open() {
    return open;
  }

  /**
   * Returns the number of new connections of others; to an open server all since its start, as they
   * may have stayed. {@code workers} have opened that many.
   */
  long others(long workers) {
    long before = known;
    known = Math.max(known, clients().orElse(0) - workers);
    return open ? known : known - before;
  }

  /** Returns the number of connections of workers and others; empty if the server is silent. */
  OptionalLong clients() {
    OptionalLong now = accepted(endpoint, question);
    long ours = asked(endpoint) - asked;
    return now.stream().map(count -> count - accepted - ours).findFirst();
  }
}
