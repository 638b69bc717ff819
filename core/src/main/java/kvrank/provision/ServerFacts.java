package kvrank.provision;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.scenario.EngineDefinition.Exchange;

/** What a running server says of itself, and whether that is what was asked of it. */
final class ServerFacts {

  private static final Duration LIMIT = Duration.ofSeconds(5);

  private ServerFacts() {}

  /** Questions that are put to one server more than once. */
  interface Interview {
    SortedMap<String, String> answers() throws ProvisionException;
  }

  /**
   * Returns the answers, by the name of the fact; a question without an answer is left out.
   *
   * @throws ProvisionException if the server takes no connection
   */
  static SortedMap<String, String> of(ServerAddress endpoint, SortedMap<String, Exchange> questions)
      throws ProvisionException {
    TcpProbe conversation = new TcpProbe(LIMIT, LIMIT);
    SortedMap<String, String> answers = new TreeMap<>();
    for (Map.Entry<String, Exchange> each : questions.entrySet()) {
      try {
        Optional<String> answer = conversation.ask(endpoint, each.getValue()).value();
        answer.ifPresent(value -> answers.put(each.getKey(), value));
      } catch (IOException e) {
        throw new ProvisionException(
            "it could not be asked for '%s': %s".formatted(each.getKey(), e.getMessage()), e);
      }
    }
    return answers;
  }

  /**
   * Compares.
   *
   * @throws ProvisionException if an answer differs from what was expected or is missing
   */
  static void check(SortedMap<String, String> expected, SortedMap<String, String> answers)
      throws ProvisionException {
    for (Map.Entry<String, String> each : expected.entrySet()) {
      String answer = answers.get(each.getKey());
      if (!each.getValue().equals(answer)) {
        throw new ProvisionException(
            "it was asked for %s=%s and %s"
                .formatted(
                    each.getKey(),
                    each.getValue(),
                    answer == null ? "does not report it" : "reports '" + answer + "'"));
      }
    }
  }
}
