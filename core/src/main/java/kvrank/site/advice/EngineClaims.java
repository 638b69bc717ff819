package kvrank.site.advice;

import java.util.ArrayList;
import java.util.Comparator;
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
import kvrank.results.RunRecord;
import kvrank.stats.Absence;
import kvrank.stats.Excluded;
import kvrank.stats.Group;
import kvrank.stats.QualityFlag;
import kvrank.stats.Ranking;
import kvrank.stats.Standing;

/** The sentences about one engine. */
public final class EngineClaims {

  /** The most figures of a sentence, and the most sentences about failures. */
  private static final int MOST = 3;

  private static final String NOTHING = "Nothing was found.";

  private final String engine;
  private final List<Choice> choices;
  private final List<Study> studies;

  /** Those that have a value of the engine. */
  private final List<Contest> contests;

  public EngineClaims(String engine, List<Need> needs, List<Study> studies) {
    this.engine = engine;
    this.choices = needs.stream().flatMap(need -> need.choices().stream()).toList();
    this.studies = studies;
    this.contests =
        needs.stream()
            .flatMap(need -> need.contests().stream())
            .filter(contest -> contest.ranking().standing(engine).isPresent())
            .toList();
  }

  private Standing standing(Contest contest) {
    return contest.ranking().standing(engine).orElseThrow();
  }

  private static String title(Choice choice) {
    String at = Promise.at(choice.level());
    return choice.use().title() + (at.isEmpty() ? "" : " at " + at);
  }

  private Claim figure(Claim claim, Contest contest) {
    return claim.link(contest.value(standing(contest)), contest.runs(engine));
  }

  /** Returns the uses in which it is among the best, with its figures. */
  public List<Claim> best() {
    List<Claim> claims = new ArrayList<>();
    for (Choice choice : choices) {
      List<Contest> leading =
          choice.compared().stream()
              .filter(
                  contest -> contest.best().stream().anyMatch(each -> each.engine().equals(engine)))
              .toList();
      if (leading.isEmpty()) {
        continue;
      }
      Tally tally = choice.tally(engine).orElseThrow();
      Claim claim = Claim.of("%s: %s: ".formatted(title(choice), tally.leading(choice.kind())));
      String separator = "";
      for (Contest contest : leading.subList(0, Math.min(MOST, leading.size()))) {
        claim.text(separator);
        separator = "; ";
        figure(claim, contest).text(" (" + contest.place() + ")");
      }
      claims.add(
          claim.text(
              leading.size() > MOST ? "; and %d more.".formatted(leading.size() - MOST) : "."));
    }
    return claims.isEmpty() ? List.of(Claim.of("It is among the best in no comparison.")) : claims;
  }

  /** Returns the uses that it is recommended for, with how sure that is. */
  public List<Claim> reach() {
    List<Claim> claims = new ArrayList<>();
    for (Choice choice : choices) {
      if (choice.reach().stream().anyMatch(each -> each.engine().equals(engine))) {
        Claim claim =
            Claim.of("Reach for it when " + choice.use().when())
                .text(choice.promise().isEmpty() ? "" : " at " + choice.promise())
                .text(
                    choice.reach().size() == 1
                        ? ": no other %s is recommended there".formatted(choice.kind().noun())
                        : ": "
                            + Quantities.counted(
                                choice.reach().size() - 1, "other " + choice.kind().noun())
                            + (choice.reach().size() == 2 ? " is" : " are")
                            + " recommended there, too");
        claims.add(choice.addLowerHits(claim, engine).text("."));
      }
    }
    return claims.isEmpty()
        ? List.of(Claim.of("The data do not recommend it for any use: see the comparisons below."))
        : claims;
  }

  /** Returns everything that speaks against it. */
  public List<Claim> watch() {
    List<Claim> claims = new ArrayList<>();
    choices.forEach(choice -> claims.addAll(unsafe(choice)));
    choices.forEach(choice -> behind(choice).ifPresent(claims::add));
    for (Choice choice : choices) {
      choice
          .lowerHits(engine)
          .ifPresent(lower -> claims.add(lower.addTo(Claim.of(title(choice) + ": ")).text(".")));
    }
    tail().ifPresent(claims::add);
    Set<String> phases = new HashSet<>();
    for (Contest contest : contests) {
      if (contest.unproven(engine)
          && contest.role() == Contest.Role.RECOMMENDS
          && contest.use() != UseCase.MEMORY
          && contest.use() != UseCase.FOOTPRINT
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

  private List<Claim> unsafe(Choice choice) {
    List<CrashResult> results = choice.unsafe().getOrDefault(engine, List.of());
    return choice.use() != UseCase.DURABLE || results.isEmpty()
        ? List.of()
        : List.of(
            CrashResult.addAll(Claim.of("Avoid it for %s: ".formatted(title(choice))), results));
  }

  private Optional<Claim> behind(Choice choice) {
    return choice.compared().stream()
        .filter(contest -> contest.ranking().standing(engine).isPresent())
        .filter(contest -> contest.surelyBehind(standing(contest)) >= Tally.FAR)
        .max(Comparator.comparing(contest -> contest.surelyBehind(standing(contest))))
        .map(
            contest -> {
              Tally tally = choice.tally(engine).orElseThrow();
              Standing first = contest.ranking().standings().get(0);
              Claim claim =
                  Claim.of(
                      "%s: at least %dx behind the best %s in %d of %s; furthest with "
                          .formatted(
                              title(choice),
                              Tally.FAR,
                              choice.kind().noun(),
                              tally.far(),
                              Quantities.counted(tally.of(), "comparison")));
              return figure(claim, contest)
                  .text(" against ")
                  .link(contest.value(first), contest.runs(first.engine()))
                  .text(" of ")
                  .engine(first.engine())
                  .text(
                      ", %s behind (%s)."
                          .formatted(contest.distance(standing(contest)), contest.place()));
            });
  }

  /** Returns the p99 that is certainly furthest behind the lowest of its kind. */
  private Optional<Claim> tail() {
    Contest worst = null;
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
          double behind = tail.surelyBehind(standing(tail));
          if (behind >= Tally.FAR
              && (worst == null || behind > worst.surelyBehind(standing(worst)))) {
            worst = tail;
          }
        }
      }
    }
    if (worst == null) {
      return Optional.empty();
    }
    Standing first = worst.ranking().standings().get(0);
    Claim claim =
        Claim.of(
            "Tail: p99 of %s is ".formatted(worst.ranking().group().operation().orElseThrow()));
    return Optional.of(
        figure(claim, worst)
            .text(" against ")
            .link(worst.value(first), worst.runs(first.engine()))
            .text(" of ")
            .engine(first.engine())
            .text(
                ", %s behind (%s)."
                    .formatted(worst.distance(standing(worst)), worst.place())));
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

  /** Returns the crash tests and power cuts. */
  public List<Claim> crashes() {
    List<Claim> claims = new ArrayList<>();
    for (Study study : studies) {
      for (List<Group> point : study.index().phaseGroupsByPoint()) {
        CrashResult.of(study, point.get(0), engine)
            .forEach(each -> claims.add(each.addTo(Claim.of("In ")).text(".")));
        point.stream()
            .filter(group -> study.index().runs(group, engine).stream().anyMatch(RunRecord::shown))
            .filter(group -> study.index().notCut(group, engine))
            .findFirst()
            .ifPresent(group -> claims.add(spared(study, group)));
      }
    }
    return claims;
  }

  private Claim spared(Study study, Group group) {
    return Claim.of("Its power was ")
        .link("not cut", study.runs(group, engine))
        .text(
            ", although the scenario cuts it (%s, %s%s)."
                .formatted(study.machine().label(), study.scenario(), group.pointSuffix()));
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
                  Collectors.summarizingDouble(contest -> standing(contest).estimate().value()));
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
