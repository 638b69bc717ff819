package kvrank.site.advice;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.report.block.Quantities;
import kvrank.report.ranking.Labels;
import kvrank.report.ranking.Notes;
import kvrank.stats.Absence;
import kvrank.stats.Excluded;
import kvrank.stats.Group;
import kvrank.stats.QualityFlag;
import kvrank.stats.Ranking;
import kvrank.stats.Standing;

/** The sentences about one engine. */
public final class EngineClaims {

  /** The most sentences about failures. */
  private static final int MOST = 3;

  private static final String NOTHING = "Nothing was found.";

  private final String engine;
  private final Advice advice;
  private final List<Study> studies;

  /** Those that have a value of the engine. */
  private final List<Contest> contests;

  public EngineClaims(String engine, Advice advice, List<Need> needs, List<Study> studies) {
    this.engine = engine;
    this.advice = advice;
    this.studies = studies;
    this.contests =
        needs.stream()
            .flatMap(need -> need.contests().stream())
            .filter(contest -> contest.ranking().standing(engine).isPresent())
            .toList();
  }

  /** Returns the other sentences that speak against it. */
  public List<Claim> watch() {
    List<Claim> claims = new ArrayList<>();
    new EngineCrashes(engine, studies).allowed().ifPresent(claims::add);
    claims.addAll(new EngineAdvice(engine, advice, studies).behind());
    for (Choice choice : advice.choices()) {
      choice
          .lowerHits(engine)
          .ifPresent(lower -> claims.add(lower.addTo(Claim.of(choice.title() + ": ")).text(".")));
    }
    tail().ifPresent(claims::add);
    Set<String> phases = new HashSet<>();
    for (Contest contest : contests) {
      if (contest.unproven(engine)
          && contest.role() == Contest.Role.RECOMMENDS
          && !contest.use().ofResources()
          && phases.add(contest.phase() + contest.level())) {
        claims.add(
            Claim.of("Durability is not proven: ")
                .link(contest.phase() + " at fsync=" + contest.level(), contest.runs(engine))
                .text("."));
      }
    }
    claims.addAll(failures());
    claims.addAll(flags());
    return claims.isEmpty() ? List.of(Claim.of(NOTHING)) : claims;
  }

  /** Returns, of those far behind the lowest of their kind, the p99 that is furthest. */
  private Optional<Claim> tail() {
    Contest worst = null;
    double furthest = 0;
    for (Contest contest : contests) {
      for (Group operation : contest.index().operations(contest.group())) {
        Optional<Ranking> ranking = contest.index().ranking(operation, Metrics.LATENCY_P99);
        if (ranking.isPresent() && ranking.get().standing(engine).isPresent()) {
          Contest tail =
              new Contest(
                      contest.study(),
                      contest.use(),
                      contest.group(),
                      ranking.get(),
                      contest.role())
                  .among(contest.kind(engine));
          Standing standing = tail.standing(engine);
          double behind = tail.behind(standing).value();
          if (!standing.untested() && behind >= Tally.FAR && behind > furthest) {
            worst = tail;
            furthest = behind;
          }
        }
      }
    }
    if (worst == null) {
      return Optional.empty();
    }
    Claim claim =
        Claim.of(
            "Tail: p99 of %s is ".formatted(worst.ranking().group().operation().orElseThrow()));
    return Optional.of(Reasons.against(claim, worst, engine).text("."));
  }

  /** Returns the failures at each factor point, those of the same reason together. */
  private List<Claim> failures() {
    Set<String> reasons = new LinkedHashSet<>();
    for (Study study : studies) {
      for (Group group : study.index().phaseGroups()) {
        Map<List<Object>, Integer> runs = new LinkedHashMap<>();
        for (Excluded each : study.index().throughput(group).excluded(engine)) {
          if (each.absence().broken()) {
            String reason = Failure.withoutProcess(each.reason());
            runs.merge(
                List.of(each.absence(), reason, each.planned()), each.repetitions(), Integer::sum);
          }
        }
        runs.forEach(
            (kind, number) ->
                reasons.add(
                    "%s%s on %s: %s."
                        .formatted(
                            study.scenario(),
                            group.pointSuffix(),
                            study.machine().label(),
                            Notes.cause(
                                new Excluded(
                                    engine,
                                    (Absence) kind.get(0),
                                    (String) kind.get(1),
                                    number,
                                    (int) kind.get(2))))));
      }
    }
    return reasons.stream().limit(MOST).map(Claim::of).toList();
  }

  /** Returns the labels of its measurements, with the number of phases that have each. */
  private List<Claim> flags() {
    Map<QualityFlag.Kind, Integer> kinds = new LinkedHashMap<>();
    int phases = 0;
    for (Study study : studies) {
      for (Group group : study.index().phaseGroups()) {
        if (study.index().throughput(group).standing(engine).isPresent()) {
          phases++;
          study
              .index()
              .flags(group, engine)
              .forEach(flag -> kinds.merge(flag.kind(), 1, Integer::sum));
        }
      }
    }
    int all = phases;
    return kinds.entrySet().stream()
        .map(
            kind ->
                Claim.of(
                    "%s in %d of %s: %s."
                        .formatted(
                            Labels.capitalized(kind.getKey().label()),
                            kind.getValue(),
                            Quantities.counted(all, "phase"),
                            kind.getKey().meaning())))
        .toList();
  }

  /** Returns its memory and storage in all contests about them. */
  public List<Claim> resources() {
    List<Claim> claims = new ArrayList<>();
    for (Metric metric : List.of(Metrics.DATA_MEMORY, Metrics.MEMORY, Metrics.FOOTPRINT)) {
      List<Contest> own =
          contests.stream().filter(contest -> contest.ranking().metric().equals(metric)).toList();
      DoubleSummaryStatistics values =
          own.stream()
              .collect(
                  Collectors.summarizingDouble(
                      contest -> contest.standing(engine).estimate().value()));
      if (!own.isEmpty()) {
        claims.add(
            Claim.of(Labels.capitalized(metric.title()))
                .text(
                    " after %s: "
                        .formatted(
                            own.stream()
                                .map(contest -> contest.group().phase())
                                .distinct()
                                .collect(Collectors.joining(" or "))))
                .link(
                    Quantities.range(metric.unit(), values.getMin(), values.getMax()),
                    "#comparisons")
                .text(" in %s.".formatted(Quantities.counted(own.size(), "measurement"))));
      }
    }
    return claims;
  }
}
