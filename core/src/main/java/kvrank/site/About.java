package kvrank.site;

import java.util.Collection;
import java.util.Comparator;
import kvrank.fact.Fact;
import kvrank.results.RunRecord;
import kvrank.site.advice.Study;

/** What an engine is, by its newest run that has it; empty texts if none has. */
record About(String description, String language) {

  static About of(Collection<Study> studies, String engine) {
    return new About(
        newest(studies, engine, Fact.DESCRIPTION), newest(studies, engine, Fact.LANGUAGE));
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
