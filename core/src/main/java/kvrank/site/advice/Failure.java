package kvrank.site.advice;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import kvrank.report.block.Quantities;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.stats.Counted;
import kvrank.stats.Excluded;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;

/**
 * An engine that failed by its own doing in more than half of its runs, so that it is last in the
 * comparison: it exceeded a limit of memory or time, crashed or gave wrong answers.
 */
public record Failure(String engine, int failed, int of, List<String> reasons) {

  /** Returns the failures in a phase, in the order of the engines. */
  public static List<Failure> of(RankingIndex index, Group group) {
    List<Failure> failures = new ArrayList<>();
    for (String engine : index.engines()) {
      List<Counted> runs = index.counted(group, engine);
      List<Counted> own = runs.stream().filter(each -> own(each, group.phase())).toList();
      if (2 * own.size() > runs.size() && !unsupported(index, group, engine)) {
        TreeSet<String> reasons = new TreeSet<>();
        own.forEach(each -> reasons.add(withoutProcess(each.leftOut().orElseThrow().reason())));
        failures.add(new Failure(engine, own.size(), runs.size(), List.copyOf(reasons)));
      }
    }
    return failures;
  }

  /** Returns whether an engine that failed earlier in its runs cannot do the phase anyway. */
  private static boolean unsupported(RankingIndex index, Group group, String engine) {
    return index.phaseGroups().stream()
        .filter(each -> each.phase().equals(group.phase()))
        .flatMap(each -> index.records(each, engine).stream())
        .anyMatch(phase -> phase.outcome() instanceof Outcome.Unsupported);
  }

  /** Returns whether the engine failed by its own doing in a phase, or before it. */
  private static boolean own(Counted counted, String phase) {
    RunRecord run = counted.run();
    Outcome outcome =
        run.phases().stream()
            .filter(each -> each.name().equals(phase))
            .map(PhaseRecord::outcome)
            .findFirst()
            .orElse(run.outcome());
    return counted.leftOut().map(Excluded::absence).filter(each -> each.broken()).isPresent()
        && outcome.ofEngine();
  }

  /** Returns a reason without the numbers of processes, which differ between runs. */
  public static String withoutProcess(String reason) {
    return reason.replaceAll(" \\(pid \\d+\\)", "");
  }

  /** Returns for example {@code 5 of 5 runs: in phase load: killed by the memory limit of 1GiB}. */
  public String text() {
    return "%d of %s: %s"
        .formatted(failed, Quantities.counted(of, "run"), String.join("; ", reasons));
  }
}
