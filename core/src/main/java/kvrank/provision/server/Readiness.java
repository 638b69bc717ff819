package kvrank.provision.server;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import kvrank.engine.Exchange;
import kvrank.failure.Cause;
import kvrank.failure.Ending;
import kvrank.failure.Failure;
import kvrank.machine.Hindrance;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.TcpProbe.Answer;

/** Waits until one server answers its engine's ping, or cannot any more. */
final class Readiness {

  private static final Duration CONNECT_LIMIT = Duration.ofMillis(300);
  private static final Duration ANSWER_LIMIT = Duration.ofMillis(500);
  private static final long LAST_PAUSE_MILLIS = 50;

  /** Another program that has the port is seen before the server ends for this reason. */
  private static final long FIRST_PAUSE_MILLIS = 2;

  private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** A poll that takes longer is one in which this process stood still. */
  private static final long LONGEST_POLL_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final int SHOWN = 160;

  private final StartedServer server;
  private final Exchange ping;
  private final Duration limit;
  private final ServerResources resources;
  private final TcpProbe conversation = new TcpProbe(CONNECT_LIMIT, ANSWER_LIMIT);
  // The last wrong answer, as it continues "it".
  private String refusal = "";

  Readiness(StartedServer server, Exchange ping, Duration limit, ServerResources resources) {
    this.server = server;
    this.ping = ping;
    this.limit = limit;
    this.resources = resources;
  }

  /** Returns the answering address; the exception's message continues "it". */
  ServerAddress await() throws ProvisionException, InterruptedException {
    long start = System.nanoTime();
    long polled = start;
    Hindrance hindrance = new Hindrance(start);
    while (true) {
      Optional<ServerAddress> answering = answering();
      refuseOpen();
      if (answering.isPresent()) {
        return answering.get();
      }
      resources.requireOpen();
      Optional<Ending> ending = server.ending().map(Ending::whileStarting);
      if (ending.isPresent()) {
        throw new ProvisionException(ending.get().cause(), "it " + ending.get().text());
      }
      long now = System.nanoTime();
      if (now - polled > LONGEST_POLL_NANOS) {
        start += now - polled;
      }
      polled = now;
      long nanos = now - start;
      if (nanos > FIRST_NANOS) {
        hindrance.look(now, server.pid().stream());
      }
      if (hindrance.over(nanos, limit)) {
        Failure silent = new Failure(Cause.ENGINE, silence());
        throw new SilentException(hindrance.blamed(silent, nanos));
      }
      Thread.sleep(nanos < FIRST_NANOS ? FIRST_PAUSE_MILLIS : LAST_PAUSE_MILLIS);
    }
  }

  private void refuseOpen() throws ProvisionException {
    for (ServerAddress endpoint : server.endpoints()) {
      if (endpoint.login().isPresent()
          && endpoint.kind() != ServerAddress.Kind.EXTERNAL
          && answersAStranger(endpoint)) {
        throw new ProvisionException(
            Cause.ENGINE, "it answers at %s without a password".formatted(endpoint));
      }
    }
  }

  // A server may become ready while its addresses are tried, so earlier ones are tried again.
  private Optional<ServerAddress> answering() throws ProvisionException {
    for (ServerAddress endpoint : server.endpoints()) {
      if (answers(endpoint)) {
        for (ServerAddress earlier : server.endpoints()) {
          if (earlier.equals(endpoint) || answers(earlier)) {
            return Optional.of(earlier);
          }
        }
      }
    }
    return Optional.empty();
  }

  private boolean answers(ServerAddress endpoint) throws ProvisionException {
    try {
      // Another user's program may listen instead, and must not get the password. While this server
      // listens, no other can.
      if (!server.answersAt(endpoint)) {
        return false;
      }
      Answer answer = conversation.ask(endpoint, ping);
      if (answer.value().isEmpty() && !answer.received().isBlank()) {
        refusal = "answered its ping with '%s'".formatted(shortened(answer.received().strip()));
      }
      return answer.value().isPresent();
    } catch (TcpProbe.RefusedLoginException e) {
      refusal = "refused the login with '%s'".formatted(shortened(e.answer()));
      return false;
    } catch (IOException e) {
      return false;
    }
  }

  private boolean answersAStranger(ServerAddress endpoint) throws ProvisionException {
    try {
      ServerAddress open = new ServerAddress(endpoint.host(), endpoint.port(), endpoint.kind());
      // Another program may have answered if the server did not listen before.
      return server.answersAt(endpoint)
          && conversation.ask(open, ping).value().isPresent()
          && server.answersAt(endpoint);
    } catch (IOException e) {
      return false;
    }
  }

  private String silence() {
    String what = refusal.isEmpty() ? "did not answer its ping" : refusal;
    String who =
        server.pid().isPresent()
            ? "its process (pid " + server.pid().getAsLong() + ") runs"
            : "nothing is known to have ended it";
    return "it %s at %s for %d s, though %s"
        .formatted(what, server.endpoints(), limit.toSeconds(), who);
  }

  private static String shortened(String text) {
    String line = text.lines().findFirst().orElse("");
    return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "…";
  }
}
