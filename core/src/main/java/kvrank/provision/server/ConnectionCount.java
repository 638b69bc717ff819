package kvrank.provision.server;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import kvrank.engine.Exchange;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.provision.host.ProvisionException;

/**
 * Finds connections of others to a server that kvrank started, by the number that the server has
 * accepted: its report {@code connections}.
 */
public final class ConnectionCount {

  private static final String REPORT = "connections";

  /** The share of a phase in which a connection, whatever it sends, costs a server little. */
  private static final double MOMENT = 0.01;

  /**
   * The time in which one refused connection costs a server at most a {@link #MOMENT}: it may send
   * for 0.1 s until {@link ConnectionWatch} sees it.
   */
  private static final double SECONDS_PER_REFUSED = 10;

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

  /**
   * Returns the failure if others void a measurement by their connections: by any to an {@code
   * open} server, by enough to slow one that refuses them, or by one for more than a moment.
   *
   * @param others the connections of others that the server has counted
   * @param nanos the time in which it counted them
   * @param seen connections of others, if they were sampled
   */
  public static Optional<Failure> intrusion(
      long others, boolean open, long nanos, Optional<ConnectionWatch.Seen> seen) {
    double few = Math.max(1, nanos / 1e9 / SECONDS_PER_REFUSED);
    if (others > 0 && (open || others > few)) {
      return outsider(
          "another program connected %s to kvrank's server, which %s; stop that program"
              .formatted(
                  others == 1 ? "once" : "%,d times".formatted(others),
                  open ? "has no password" : "refused it"));
    }
    // A new connection that was counted confirms a single sample.
    long fewest = others > 0 ? 1 : 2;
    return seen.filter(each -> each.times() >= fewest && each.share() > MOMENT)
        .flatMap(
            each -> {
              String users = String.join(", ", new TreeSet<>(each.users()));
              return outsider(
                  "another program%s was connected to kvrank's server for %.0f %% of the phase; stop that program"
                      .formatted(users.isEmpty() ? "" : " of user " + users, 100 * each.share()));
            });
  }

  private static Optional<Failure> outsider(String message) {
    return Optional.of(new Failure(Cause.OUTSIDER, message));
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
