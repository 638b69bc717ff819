package kvrank.site;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Function;
import kvrank.engine.EngineDefinition;
import kvrank.fact.Fact;
import kvrank.results.RunRecord;
import kvrank.site.advice.Claim;
import kvrank.site.advice.Kind;
import kvrank.site.advice.Study;

/**
 * What an engine is, by its newest run that has it; empty texts if none has.
 *
 * @param asked the engine and the options that scenarios request under its name
 */
record About(String engine, String description, String language, String asked) {

  /**
   * Returns the description of an engine.
   *
   * @param shipped the engines of this kvrank: one that a scenario requested by its name, and that
   *     runs in the same kind of process, is the same engine. They describe those whose runs do not
   */
  static About of(
      Collection<Study> studies,
      String engine,
      Function<String, Optional<EngineDefinition>> shipped) {
    String asked = newest(studies, engine, Fact.ASKED);
    String[] words = asked.split(" ", -1);
    boolean embedded = studies.stream().map(each -> each.kind(engine)).anyMatch(Kind::embedded);
    Optional<EngineDefinition> known =
        asked.isEmpty() || asked.contains(" of ")
            ? Optional.empty()
            : shipped.apply(words[0]).filter(each -> each.embedded() == embedded);
    return new About(
        engine,
        either(newest(studies, engine, Fact.DESCRIPTION), known, EngineDefinition::description),
        either(newest(studies, engine, Fact.LANGUAGE), known, EngineDefinition::language),
        asked);
  }

  private static String either(
      String recorded, Optional<EngineDefinition> known, Function<EngineDefinition, String> text) {
    return recorded.isEmpty() ? known.map(text).orElse("") : recorded;
  }

  /**
   * Returns for example {@code redis-no-persistence is redis with appendonly=no.}; empty for an
   * engine without options under its own name.
   */
  static Optional<Claim> variant(Collection<Study> studies, String engine) {
    return of(studies, engine, any -> Optional.empty()).variant();
  }

  /** Returns the same of this engine. */
  Optional<Claim> variant() {
    return options().map(text -> new Claim().engine(engine).text(" is " + text));
  }

  /** Returns the engine and its options, or its description if it has none. */
  String brief() {
    return options().orElse(description);
  }

  private Optional<String> options() {
    String[] parts = asked.split(" ", 2);
    String options = parts.length == 1 ? "" : " with " + parts[1];
    return asked.isEmpty() || asked.equals(engine)
        ? Optional.empty()
        : Optional.of(parts[0] + options + ".");
  }

  private static String newest(Collection<Study> studies, String engine, Fact fact) {
    return studies.stream()
        .flatMap(study -> study.index().results().runs().stream())
        .filter(run -> run.engine().equals(engine) && run.facts().has(fact))
        .max(Comparator.comparing(RunRecord::started))
        .map(run -> run.facts().text(fact))
        .orElse("");
  }
}
