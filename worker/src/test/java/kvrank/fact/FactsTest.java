package kvrank.fact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FactsTest {

  @Test
  void namesAreUniqueAtTheirLevel() {
    for (Level level : Level.values()) {
      Set<String> names = new HashSet<>();
      for (Fact fact : Fact.values()) {
        assertThat(!fact.at(level) || names.add(fact.label())).as(fact.label()).isTrue();
      }
    }
  }

  @Test
  void meaningsAreShortSentences() {
    for (Fact fact : Fact.values()) {
      assertThat(fact.meaning()).as(fact.label()).matches("[A-Z0-9`].*[^.]\\.");
      assertThat(fact.meaning().split(" ", -1)).as(fact.label()).hasSizeLessThanOrEqualTo(25);
    }
  }

  @Test
  void whatComesFromGeneratorsHasARule() {
    for (Fact fact : Fact.values()) {
      assertThat(fact.merging())
          .as(fact.label())
          .satisfies(
              rule -> {
                if (rule != Merging.NONE) {
                  assertThat(fact.at(Level.PHASE) || fact.at(Level.RUN)).isTrue();
                }
              });
    }
  }

  @Test
  void aNameCanEndWithItsUnit() {
    assertThat(Fact.USER_LIVE_BYTES.unit()).isEqualTo(Unit.BYTES);
    assertThat(Fact.STORAGE_IDLE_FLUSHES_PER_SECOND.unit()).isEqualTo(Unit.PER_SECOND);
    assertThat(Fact.OTHERS_LOST_SECONDS.unit()).isEqualTo(Unit.SECONDS);
    assertThat(Fact.GENERATORS_LEAST_SHARE.unit()).isEqualTo(Unit.SHARE);
    assertThat(Fact.STANDSTILL_NANOS.unit()).isEqualTo(Unit.NANOSECONDS);
    assertThat(Fact.WAY.unit()).isEqualTo(Unit.TEXT);
    assertThat(Fact.values())
        .filteredOn(fact -> fact.unit() == Unit.TEXT)
        .noneMatch(fact -> fact.label().matches("(?i).*(bytes|nanos|millis|seconds|share)"));
  }

  @Test
  void aFactMayAnswerYesOrNo() {
    Facts facts = new Facts().put(Fact.HITS_LEVEL, true).put(Fact.STEADY, YesNo.UNKNOWN);

    assertThat(facts.asMap()).containsEntry("hits.level", "yes").containsEntry("steady", "unknown");
    assertThat(facts.is(Fact.HITS_LEVEL, YesNo.YES)).isTrue();
    assertThat(facts.is(Fact.STEADY, YesNo.NO)).isFalse();
    assertThat(facts.is(Fact.WARMUP_STEADY, YesNo.NO)).as("missing").isFalse();
  }

  @Test
  void aNameIsFoundAtItsLevel() {
    assertThat(Fact.find(Level.PHASE, "records")).hasValue(Fact.RECORDS);
    assertThat(Fact.find(Level.RUN, "records")).isEmpty();
    assertThat(Fact.find(Level.RUN, "host")).hasValue(Fact.SERVER_HOST);
    assertThat(Fact.find(Level.MACHINE, "host")).hasValue(Fact.HOST);
    assertThat(Fact.find(Level.RUN, "setting.maxmemory-policy")).hasValue(Fact.SETTING);
    assertThat(Fact.find(Level.RUN, "member.12.address")).hasValue(Fact.MEMBER_ADDRESS);
    assertThat(Fact.find(Level.RUN, "member.12.version")).isEmpty();
    assertThat(Fact.find(Level.RUN, "member..address")).isEmpty();
    assertThat(Fact.find(Level.PHASE, "engine.go.heap-bytes")).hasValue(Fact.ENGINE);
    assertThat(Fact.find(Level.PHASE, "engine.records")).hasValue(Fact.ENGINE_RECORDS);
    assertThat(Fact.find(Level.RUN, "engine.")).isEmpty();
    assertThat(Fact.find(Level.RUN, "setting.NAME")).hasValue(Fact.SETTING);
  }

  @Test
  void valuesAreTextsByName() {
    Facts facts =
        new Facts()
            .put(Fact.RECORDS, Long.MAX_VALUE)
            .put(Fact.OTHERS_CPU_SHARE, 0.12345)
            .put(Fact.RATE_ASKED, 1_234_567.8)
            .put(Fact.DRIFT, 0)
            .put(Fact.ENGINE, "a.b", "c")
            .put(Fact.MEMBER_ADDRESS, 2, "host:1");
    assertThat(facts.asMap())
        .containsExactly(
            Map.entry("drift", "0"),
            Map.entry("engine.a.b", "c"),
            Map.entry("member.2.address", "host:1"),
            Map.entry("others.cpuShare", "0.123"),
            Map.entry("rate.asked", "1234570"),
            Map.entry("records", "9223372036854775807"));
    assertThat(facts.whole(Fact.RECORDS)).isEqualTo(Long.MAX_VALUE);
    assertThat(facts.number(Fact.RATE_ASKED)).isEqualTo(1_234_570);
    assertThat(facts.parts(Fact.ENGINE)).containsExactly(Map.entry("a.b", "c"));
    assertThat(facts.parts(Fact.MEMBER_ADDRESS)).containsExactly(Map.entry("2", "host:1"));
  }

  @Test
  void whatIsMissingHasNoValue() {
    Facts none = Facts.of(Map.of("engine.records", "many"));
    assertThat(none.has(Fact.RECORDS)).isFalse();
    assertThat(none.find(Fact.RECORDS)).isEmpty();
    assertThat(none.text(Fact.RECORDS)).isEmpty();
    assertThat(none.count(Fact.RECORDS)).isZero();
    assertThat(none.number(Fact.RECORDS)).isNaN();
    assertThat(none.number(Fact.ENGINE_RECORDS)).isNaN();
    assertThatThrownBy(() -> none.whole(Fact.RECORDS)).hasMessage("'records' is missing");
  }

  @Test
  void aFamilyIsNotAFact() {
    Facts facts = new Facts();
    assertThatThrownBy(() -> facts.put(Fact.ENGINE, "text"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("engine.NAME is a family of facts; name one of them");
    assertThatThrownBy(() -> facts.put(Fact.RECORDS, "part", "text"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("records is one fact, and has no part");
  }

  @Test
  void aCopyIsOfItsOwn() {
    Facts facts = new Facts().put(Fact.RECORDS, 1);
    Facts copy = Facts.copyOf(facts);
    new Facts(copy).put(Fact.RECORDS, 2);
    facts.put(Fact.RECORDS, 3);
    assertThat(copy).isEqualTo(Facts.of(Map.of("records", "1")));
    assertThatThrownBy(() -> copy.put(Fact.RECORDS, 4))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void eachRuleMergesAsItsLabelSays() {
    assertThat(Merging.SUM.merge(List.of("0.5", "3", "-1.25"))).isEqualTo("2.25");
    assertThat(Merging.SUM.merge(List.of("9223372036854775807", "1")))
        .isEqualTo("9223372036854775808");
    assertThat(Merging.LARGEST.merge(List.of("9", "11", "10"))).isEqualTo("11");
    assertThat(Merging.WORST.merge(List.of("yes", "unknown"))).isEqualTo("unknown");
    assertThat(Merging.WORST.merge(List.of("no", "unknown", "yes"))).isEqualTo("no");
    assertThat(Merging.FARTHEST.merge(List.of("1.9", "0.5", "1"))).isEqualTo("0.5");
    assertThat(Merging.EACH.merge(List.of("b", "a", "b"))).isEqualTo("b and a");
    assertThat(Merging.EACH.merge(List.of("b", "b"))).isEqualTo("b");
    assertThat(Merging.EXAMPLE.merge(List.of("b", "a"))).isEqualTo("b");
  }

  @Test
  void generatorsTogetherHaveOneValueOfEachFact() {
    Facts one =
        new Facts()
            .put(Fact.GC_COUNT, 1)
            .put(Fact.RECORDS, 5)
            .put(Fact.GENERATOR_CLIENTS, 2)
            .put(Fact.ENGINE, "version", "7.0");
    Facts other = new Facts().put(Fact.GC_COUNT, 2).put(Fact.ENGINE, "version", "7.2");
    assertThat(Facts.merged(Level.PHASE, List.of(one, other)))
        .isEqualTo(Facts.of(Map.of("gc.count", "3", "engine.version", "7.0 and 7.2")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"never", "NaN", "-3", "1e300", "99999999999999999999", ""})
  void aReportedFigureThatIsNoNumberIsNamedAndMissing(String value) {
    Facts facts = new Facts().putReported("flushes", value).putReported("version", value);
    assertThat(facts)
        .isEqualTo(Facts.of(Map.of("engine.flushes.unusable", value, "engine.version", value)));
  }

  @Test
  void aReportedFigureIsThere() {
    assertThat(
            new Facts().putReported("write-buffer-bytes", "64").has(Fact.ENGINE_WRITE_BUFFER_BYTES))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"unknown", "page-cache", "host"})
  void whatNobodyDeclaredIsNotMerged(String name) {
    assertThatThrownBy(
            () -> Facts.merged(Level.PHASE, List.of(Facts.of(Map.of(name, "1")), new Facts())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "a generator reports '%s', for which kvrank.fact.Fact declares no way to merge"
                .formatted(name));
  }
}
