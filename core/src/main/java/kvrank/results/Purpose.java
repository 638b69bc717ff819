package kvrank.results;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.List;
import java.util.Optional;
import kvrank.metric.Expectation;

/**
 * What an execution is to find out.
 *
 * @param scenario the scenario's name
 * @param question the scenario's question
 * @param medium the storage that was asked for
 * @param table the extra table that the scenario asks for
 * @param expectations the bounds that the scenario wants kept
 */
public record Purpose(
    String scenario,
    String question,
    String medium,
    Optional<String> table,
    @JsonSetter(nulls = Nulls.AS_EMPTY) List<Expectation> expectations) {

  public Purpose {
    requireNonNull(scenario, "scenario is null");
    requireNonNull(question, "question is null");
    requireNonNull(medium, "medium is null");
    requireNonNull(table, "table is null");
    expectations = List.copyOf(expectations);
  }

  /** Returns this purpose with other bounds. */
  public Purpose with(List<Expectation> newExpectations) {
    return new Purpose(scenario, question, medium, table, newExpectations);
  }
}
