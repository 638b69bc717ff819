package kvrank.site;

import java.util.List;
import java.util.Optional;
import kvrank.metric.Direction;
import kvrank.metric.Preference;
import kvrank.report.block.Quantities;
import kvrank.report.ranking.Labels;
import kvrank.report.section.RequirementText;
import kvrank.site.advice.Claim;
import kvrank.site.advice.Links;
import kvrank.site.advice.Study;
import kvrank.stats.ExpectationResult;
import kvrank.stats.ExpectationResult.Verdict;
import kvrank.stats.Group;
import kvrank.stats.Requirements;
import kvrank.stats.Requirements.Kind;
import kvrank.stats.Requirements.Row;

/** Which engines of a study meet the requirements that its scenario states. */
record StudyRequirements(Study study, Requirements requirements) {

  /** Returns the verdicts; empty if the scenario requires nothing, or nothing was measured. */
  static Optional<StudyRequirements> of(Study study) {
    return Optional.of(new StudyRequirements(study, Requirements.of(study.index())))
        .filter(each -> !each.rows().isEmpty());
  }

  /** Returns the verdicts on engines that were measured, the best first. */
  List<Row> rows() {
    return requirements.rows().stream().filter(Row::measured).toList();
  }

  /** Returns for example {@code choose on epyc}. */
  String place() {
    return study.scenario() + " on " + study.machine().label();
  }

  /** Returns the name of the section about it. */
  String anchor() {
    return study.file();
  }

  /** Returns for example {@code all 4 requirements}. */
  private static String all(int number) {
    return switch (number) {
      case 1 -> "the requirement";
      case 2 -> "both requirements";
      default -> "all %d requirements".formatted(number);
    };
  }

  /**
   * Returns for example {@code On epyc, redis and valkey meet all 4 requirements of choose (lowest
   * memory first); fails: badger.}
   */
  Claim summary() {
    Claim claim = Claim.of("On %s, ".formatted(study.machine().label()));
    List<String> good = engines(Kind.MEETS_ALL);
    if (good.isEmpty()) {
      claim.text("no engine certainly");
    } else {
      claim.engines(good);
    }
    claim
        .text(good.size() > 1 ? " meet " : " meets ")
        .text(all(requirements.texts().size()) + " of ")
        .link(study.scenario(), "../" + Links.REQUIREMENTS + "#" + anchor())
        .text(good.size() > 1 ? requirements.prefer().map(this::order).orElse("") : "");
    for (Kind kind : List.of(Kind.NOT_CERTAIN, Kind.FAILS, Kind.NOT_JUDGED)) {
      List<String> engines = engines(kind);
      if (!engines.isEmpty()) {
        claim.text("; " + kind.label() + ": ").engines(engines);
      }
    }
    return claim.text(".");
  }

  private String order(Preference prefer) {
    boolean lower = prefer.metric().direction() == Direction.LOWER;
    return " (%s %s first)".formatted(lower ? "lowest" : "highest", prefer.text());
  }

  private List<String> engines(Kind kind) {
    return rows().stream().filter(row -> row.kind() == kind).map(Row::engine).toList();
  }

  /** Returns the ratio of the first two engines that meet all; empty without an order. */
  Optional<Claim> lead() {
    List<Row> good = requirements.rows(Kind.MEETS_ALL);
    if (requirements.prefer().isEmpty() || good.size() < 2) {
      return Optional.empty();
    }
    Preference prefer = requirements.prefer().get();
    Row first = good.get(0);
    Row second = good.get(1);
    if (!requirements.separated(first, second)) {
      return Optional.of(
          Claim.of(Labels.capitalized(prefer.text()) + " does not separate ")
              .engines(List.of(first.engine(), second.engine()))
              .text("."));
    }
    boolean lower = prefer.metric().direction() == Direction.LOWER;
    return requirements
        .lead(first, second)
        .map(
            ratio ->
                Claim.of("The %s of ".formatted(prefer.text()))
                    .engine(lower ? second.engine() : first.engine())
                    .text(" is %s that of ".formatted(Quantities.ratio(ratio.value())))
                    .engine(lower ? first.engine() : second.engine())
                    .text("."));
  }

  /** Returns the verdicts on each engine. */
  List<Claim> verdicts() {
    return rows().stream()
        .map(row -> verdict(new Claim().engine(row.engine()).text(" "), row))
        .toList();
  }

  /** Returns the verdict on an engine for its page; empty if it was not measured. */
  Optional<Claim> of(String engine) {
    return rows().stream()
        .filter(row -> row.engine().equals(engine))
        .findFirst()
        .map(
            row ->
                verdict(
                    new Claim()
                        .link(place(), "../" + Links.REQUIREMENTS + "#" + anchor())
                        .text(": it "),
                    row));
  }

  /** Adds for example {@code fails 1 of 4 requirements: read p99 31 ms, wanted < 2ms: …}. */
  private Claim verdict(Claim claim, Row row) {
    int number = row.worst().size();
    switch (row.kind()) {
      case MEETS_ALL -> {
        claim.text("meets " + all(number));
        details(claim, row, row.worst().values().stream().toList());
      }
      case NOT_CERTAIN -> {
        claim.text("may not meet " + all(number));
        details(claim, row, row.open());
        claim.text(row.doubted() ? "; durability not proven" : "");
      }
      case FAILS -> {
        claim.text(
            "fails %d of %s"
                .formatted(row.broken().size(), Quantities.counted(number, "requirement")));
        details(claim, row, row.broken());
      }
      case NOT_JUDGED -> {
        claim.text("is not judged");
        details(claim, row, row.with(Verdict.NOT_JUDGED));
      }
    }
    return claim.text(".");
  }

  private void details(Claim claim, Row row, List<ExpectationResult> results) {
    String separator = ": ";
    for (ExpectationResult each : results) {
      String text =
          row.kind() == Kind.MEETS_ALL
              ? RequirementText.figure(each)
              : RequirementText.detail(each);
      claim.text(separator).link(text, runs(each, row.engine()));
      separator = "; ";
    }
  }

  /** Returns the address of the runs of a result, from a page in a folder. */
  String runs(ExpectationResult result, String engine) {
    Group group = result.group();
    List<Group> point =
        study.index().phaseGroups().stream()
            .filter(each -> each.factors().equals(group.factors()))
            .toList();
    // Metrics of whole runs have no phase; the last one ends the run.
    return study.runs(
        group.ofWholeRuns() ? point.get(point.size() - 1) : group.phaseGroup(), engine);
  }
}
