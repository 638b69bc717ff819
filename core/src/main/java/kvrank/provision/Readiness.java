package kvrank.provision;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import kvrank.scenario.EngineDefinition.Exchange;

/** Waits until a server answers its engine's own ping, or is known never to. */
final class Readiness {

  private static final Duration CONNECT_LIMIT = Duration.ofMillis(300);
  private static final Duration ANSWER_LIMIT = Duration.ofMillis(500);
  private static final long FIRST_PAUSE_MILLIS = 2;
  private static final long LAST_PAUSE_MILLIS = 50;

  private final Duration limit;
  private final Conversation conversation = new Conversation(CONNECT_LIMIT, ANSWER_LIMIT);

  /**
   * @param limit how long a server may take
   */
  Readiness(Duration limit) {
    this.limit = limit;
  }

  /**
   * Where the server answers.
   *
   * @param cancelled whether the wait has lost its purpose
   * @throws ProvisionException if it ended, was stopped or stayed silent; the message begins with
   *     what "it" did
   */
  Endpoint await(Launched server, Exchange ping, BooleanSupplier cancelled)
      throws ProvisionException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      Optional<Endpoint> answering = answering(server, ping);
      if (answering.isPresent()) {
        return answering.get();
      }
      if (cancelled.getAsBoolean()) {
        throw new ProvisionException("it was stopped while it started");
      }
      Optional<String> ending = server.ending();
      if (ending.isPresent()) {
        throw new ProvisionException("it " + ending.get());
      }
      if (System.nanoTime() > deadline) {
        throw new ProvisionException(silence(server));
      }
      Thread.sleep(pause);
      pause = Math.min(LAST_PAUSE_MILLIS, pause * 2);
    }
  }

  // A later address can answer first, the server having become ready in between: look again.
  private Optional<Endpoint> answering(Launched server, Exchange ping) {
    for (Endpoint endpoint : server.endpoints()) {
      if (answers(server, endpoint, ping)) {
        return server.endpoints().stream()
            .filter(each -> each.equals(endpoint) || answers(server, each, ping))
            .findFirst();
      }
    }
    return Optional.empty();
  }

  private boolean answers(Launched server, Endpoint endpoint, Exchange ping) {
    try {
      return conversation.ask(endpoint, ping).isPresent() && server.answersAt(endpoint);
    } catch (IOException e) {
      return false;
    }
  }

  private String silence(Launched server) {
    String who =
        server.pid().isPresent()
            ? "its process (pid " + server.pid().getAsLong() + ") runs"
            : "nothing is known to have ended it";
    return "it did not answer its ping at %s within %d s, though %s"
        .formatted(server.endpoints(), limit.toSeconds(), who);
  }
}
