package kvrank.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import org.junit.jupiter.api.Test;

class PhaseTextsTest {

  @Test
  void phasesHaveTheDescriptionsOfTheirWorkloads() {
    assertThat(
            PhaseTexts.of(
                """
                name: example
                phases:
                  - as: get
                    workload:
                      name: get
                      description: Reads existing
                        records by key.
                      operations: {read: 1}
                  - as: set-get
                    groups:
                      writer:
                        threads: 1
                        workload: {name: set, description: Overwrites values.}
                      readers:
                        workload: {name: get, description: Reads records.}
                  - as: own
                    workload:
                      name: own
                      operations: {read: 95, update: 5}
                      keys: {distribution: zipfian, exponent: 0.99}
                  - as: trace
                    trace: a.csv
                """))
        .containsExactly(
            entry("get", "Reads existing records by key."),
            entry("set-get", "writer: Overwrites values. readers: Reads records."),
            entry("own", "Operations: read 95, update 5; keys: zipfian."));
  }

  @Test
  void whatIsNoScenarioHasNone() {
    for (String yaml :
        new String[] {"", "[]", "phases: 1", "phases: [1, {as: a}]", "a: [", "a: b"}) {
      assertThat(PhaseTexts.of(yaml)).as(yaml).isEmpty();
    }
  }
}
