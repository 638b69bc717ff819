package kvrank.run.measure;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import kvrank.engine.ServerDefinition;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.fact.Merging;
import kvrank.plan.PlannedPhase;
import kvrank.plan.RunSpec;
import kvrank.workload.ClientSettings;

/** What a server reports about its limits, compared with what a run needs. */
record ServerLimits(RunSpec run, Facts facts) {

  /** Connections beside those of the clients: kvrank's questions, and figures over time. */
  private static final int OURS = 2;

  /** Returns whether an external server may evict records, by its own account. */
  boolean evicts() {
    return run.engine().external()
        && run.engine()
            .definition()
            .eviction()
            .filter(eviction -> !eviction.external().isEmpty())
            .filter(eviction -> eviction.external().entrySet().stream().allMatch(this::reported))
            .isPresent();
  }

  /** Returns whether a member of a cluster, or the server, reports such a value. */
  private boolean reported(Map.Entry<String, String> sign) {
    return Optional.ofNullable(facts.parts(Fact.ENGINE).get(sign.getKey())).stream()
        .flatMap(ServerLimits::answers)
        .anyMatch(answer -> answer.matches(sign.getValue()));
  }

  private static Stream<String> answers(String all) {
    return Stream.of(all.split(Merging.AND, -1));
  }

  /** Returns the reason why the server cannot take the run, if so. */
  Optional<String> problem() {
    return crowded().or(this::tooLong);
  }

  /**
   * Returns the reason why an external server does not store the longest record, if it reports the
   * setting that limits it; kvrank sets those of others.
   */
  private Optional<String> tooLong() {
    if (!run.engine().external()) {
      return Optional.empty();
    }
    long longest = run.dataset().values().sizes().max();
    return run.engine()
        .definition()
        .limits()
        .record()
        .flatMap(
            limit ->
                answers(facts.parts(Fact.ENGINE).getOrDefault(limit.setting(), ""))
                    .map(size -> Map.of(limit.setting(), size))
                    .map(size -> limit.valueBytes(size, run.dataset().keys().bytes()))
                    .flatMapToLong(OptionalLong::stream)
                    .filter(most -> most < longest)
                    .mapToObj(
                        most ->
                            "the server stores values of at most %,d bytes (%s), and some have %,d; raise that limit or lower 'value-bytes'"
                                .formatted(most, limit.setting(), longest))
                    .findFirst());
  }

  /** Returns the reason why the server does not accept all connections of the run, if so. */
  private Optional<String> crowded() {
    Optional<String> name =
        run.engine().definition().server().flatMap(ServerDefinition::connections);
    Optional<ClientSettings> most =
        run.supportedPhases().stream()
            .map(PlannedPhase::settings)
            .max(Comparator.comparing(ClientSettings::clients));
    int needed = OURS + most.map(ClientSettings::clients).orElse(0);
    return name.flatMap(
        fact ->
            answers(facts.text(Fact.CONNECTIONS_LIMIT))
                .filter(answer -> answer.matches("\\d{1,9}"))
                .filter(answer -> Long.parseLong(answer) < needed)
                .map(
                    answer ->
                        "the server accepts %s connections (%s), and %d are needed; raise that limit or lower '%s'"
                            .formatted(
                                answer,
                                fact,
                                needed,
                                most.map(ClientSettings::clientsSetting).orElse("")))
                .findFirst());
  }
}
