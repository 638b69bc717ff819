package kvrank.provision.server;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import kvrank.engine.EngineDefinition.Exchange;
import kvrank.failure.Cause;
import kvrank.failure.Ending;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.TcpProbe.Answer;

/** Waits until one server answers its engine's ping, or cannot any more. */
final class Readiness {

  private static final Duration CONNECT_LIMIT = Duration.ofMillis(300);
  private static final Duration ANSWER_LIMIT = Duration.ofMillis(500);
  private static final long FIRST_PAUSE_MILLIS = 2;
  private static final long LAST_PAUSE_MILLIS = 50;
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
    long deadline = System.nanoTime() + limit.toNanos();
    long pause = FIRST_PAUSE_MILLIS;
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
      if (System.nanoTime() > deadline) {
        throw new ProvisionException(Cause.ENGINE, silence());
      }
      Thread.sleep(pause);
      pause = Math.min(LAST_PAUSE_MILLIS, pause * 2);
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
  private Optional<ServerAddress> answering() {
    for (ServerAddress endpoint : server.endpoints()) {
      if (answers(endpoint)) {
        return server.endpoints().stream()
            .filter(earlier -> earlier.equals(endpoint) || answers(earlier))
            .findFirst();
      }
    }
    return Optional.empty();
  }

  private boolean answers(ServerAddress endpoint) {
    // Another user's program may listen in its stead, and must not get the password.
    if (endpoint.login().isPresent() && !server.answersAt(endpoint)) {
      return false;
    }
    try {
      Answer answer = conversation.ask(endpoint, ping);
      if (answer.value().isEmpty() && !answer.received().isBlank()) {
        refusal = "answered its ping with '%s'".formatted(shortened(answer.received().strip()));
      }
      return answer.value().isPresent() && server.answersAt(endpoint);
    } catch (TcpProbe.RefusedLoginException e) {
      refusal = "refused the login with '%s'".formatted(shortened(e.answer()));
      return false;
    } catch (IOException e) {
      return false;
    }
  }

  private boolean answersAStranger(ServerAddress endpoint) {
    try {
      ServerAddress open = new ServerAddress(endpoint.host(), endpoint.port(), endpoint.kind());
      return conversation.ask(open, ping).value().isPresent() && server.answersAt(endpoint);
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
