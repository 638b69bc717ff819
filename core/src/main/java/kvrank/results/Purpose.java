package kvrank.results;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.List;
import kvrank.metric.Expectation;
import kvrank.scenario.TableRequest;

/**
 * What an execution is to find out.
 *
 * @param scenario the scenario's name
 * @param question the scenario's question
 * @param medium the storage that was asked for
 * @param tables those that the report prints beside the rankings; 0.1.0 named at most one
 * @param expectations the bounds that the scenario wants kept
 */
public record Purpose(
    String scenario,
    String question,
    String medium,
    @JsonAlias("table")
        @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
        @JsonSetter(nulls = Nulls.AS_EMPTY)
        List<TableRequest> tables,
    @JsonSetter(nulls = Nulls.AS_EMPTY) List<Expectation> expectations) {

  public Purpose {
    tables = List.copyOf(tables);
    expectations = List.copyOf(expectations);
  }

  /** Returns this purpose with other bounds. */
  public Purpose with(List<Expectation> newExpectations) {
    return new Purpose(scenario, question, medium, tables, newExpectations);
  }
}
