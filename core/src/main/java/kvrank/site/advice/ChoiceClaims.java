package kvrank.site.advice;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kvrank.report.block.Quantities;
import kvrank.report.ranking.Labels;
import kvrank.site.advice.Contest.Role;
import kvrank.stats.ResourceRanking;

/** The sentences on the page of a use about engines of one kind at one level. */
public final class ChoiceClaims {

  private static final String TOO_FEW =
      "Nothing can be compared: ranks need two engines with at least 3 repetitions each.";

  private static final String UNEQUAL_WORK =
      "Nothing can be compared: " + ResourceRanking.UNEQUAL_WORK + ".";

  private static final String NO_PHASE =
      "Nothing can be compared: no phase only writes at this level.";

  private final Choice choice;
  private final Advice advice;

  public ChoiceClaims(Choice choice, Advice advice) {
    this.choice = choice;
    this.advice = advice;
  }

  /** Returns the sentences about what to reach for and to avoid, with the reasons. */
  public List<Claim> all() {
    List<Claim> claims = new ArrayList<>();
    choice.reach().forEach(each -> claims.add(reach(each)));
    none(choice).ifPresent(claims::add);
    choice
        .notDurable()
        .forEach(
            (engine, results) ->
                claims.add(
                    CrashResult.addAll(Claim.of("Avoid ").engine(engine).text(": "), results)
                        .text(".")));
    choice.slow().forEach(each -> claims.add(avoid(each)));
    for (Tally each : choice.tallies()) {
      if (!each.failed().isEmpty()) {
        claims.add(failed(each));
      }
    }
    heldBack(claims);
    claims.add(sure(choice));
    return claims;
  }

  private Claim reach(Tally tally) {
    Claim claim = begin("Reach for ", tally.engine(), tally.provisionallyBest());
    new Reasons(choice).reach(claim, tally);
    return end(claim, "avoid it", advice.avoid(choice.level(), tally.engine()));
  }

  private Claim avoid(Tally tally) {
    Claim claim = begin("Avoid ", tally.engine(), tally.provisionallyLast());
    new Reasons(choice).avoid(claim, tally);
    return end(claim, "reach for it", advice.reach(choice.level(), tally.engine()));
  }

  private static Claim begin(String verb, String engine, boolean provisional) {
    return Claim.of(verb).engine(engine).text(provisional ? Reasons.PROVISIONAL + ": " : ": ");
  }

  /** Ends a sentence with the opposite advice for other uses, if there is any. */
  private static Claim end(Claim claim, String verb, List<Choice> opposite) {
    if (!opposite.isEmpty()) {
      Advice.addUses(claim.text("; " + verb + " for "), opposite).text(" at this level");
    }
    return claim.text(".");
  }

  /** Returns the reason that there is no engine to reach for, if there are comparisons. */
  public static Optional<Claim> none(Choice choice) {
    if (!choice.reach().isEmpty() || choice.compared().isEmpty()) {
      return Optional.empty();
    }
    Claim claim = Claim.of("No %s to reach for: ".formatted(choice.kind().noun()));
    if (choice.deciding() == 0) {
      claim.text("no comparison has a clear lead");
    } else if (!choice.heldBack().isEmpty()) {
      List<String> names = choice.heldBack().stream().map(Tally::engine).toList();
      claim.text(
          "%s, among the best in most comparisons that count, %s held back for the reasons below"
              .formatted(Labels.joined(names), names.size() == 1 ? "is" : "are"));
    } else {
      double most = choice.tallies().stream().mapToDouble(Tally::bestShare).max().orElse(0);
      claim.text(
          "none is among the best in more than half of the comparisons that count for it; closest");
      String separator = " is ";
      for (Tally each : choice.tallies()) {
        if (each.bestShare() == most) {
          claim
              .text(separator)
              .engine(each.engine())
              .text(", in %d of %d".formatted(each.best().size(), each.counting().size()))
              .text(
                  each.failed().isEmpty() ? "" : " (failed in %d)".formatted(each.failed().size()));
          separator = ", or ";
        }
      }
    }
    return Optional.of(
        claim
            .text("; see ")
            .link("the comparisons", "../" + Links.comparisons(choice.use(), choice.level()))
            .text("."));
  }

  private Claim failed(Tally tally) {
    Claim claim = new Claim().engine(tally.engine());
    claim.text(
        " failed in %d of %s, and counts as last there: "
            .formatted(
                tally.failed().size(), Quantities.counted(tally.all().size(), "comparison")));
    String separator = "";
    for (Contest contest : tally.failed()) {
      claim
          .text(separator)
          .link(contest.place(), contest.runs(tally.engine()))
          .text(" (" + contest.failure(tally.engine()).orElseThrow().text() + ")");
      separator = "; ";
    }
    return claim.text(".");
  }

  /** Adds the reasons why engines that were compared are not recommended, however fast. */
  private void heldBack(List<Claim> claims) {
    Map<String, List<CrashResult>> crashed = new LinkedHashMap<>(choice.unsafe());
    crashed.keySet().removeAll(choice.notDurable().keySet());
    crashed.putAll(choice.doubted());
    crashed.forEach(
        (engine, results) -> {
          boolean compared = choice.tally(engine).isPresent();
          if (compared || choice.unsafe().containsKey(engine)) {
            String what =
                compared ? " is not recommended: " : " breaks the promise of this level: ";
            claims.add(
                CrashResult.addAll(new Claim().engine(engine).text(what), results).text("."));
          }
        });
    for (Tally each : choice.tallies()) {
      if (!each.unproven().isEmpty()) {
        claims.add(
            Claim.of("Durability of ")
                .engine(each.engine())
                .text(
                    " is not proven in %d of %s, so it is not recommended."
                        .formatted(
                            each.unproven().size(),
                            Quantities.counted(each.all().size(), "comparison"))));
      }
    }
    for (Tally each : choice.heldBack()) {
      if (!each.far().isEmpty()) {
        claims.add(
            new Claim()
                .engine(each.engine())
                .text(
                    " is not recommended: it is at least %dx behind the best in %d of %s."
                        .formatted(
                            Tally.FAR,
                            each.far().size(),
                            Quantities.counted(each.all().size(), "comparison"))));
      }
      choice
          .fewRivals(each)
          .ifPresent(
              met ->
                  claims.add(
                      new Claim()
                          .engine(each.engine())
                          .text(
                              " is not recommended: where it is among the best, it met only %d of %s."
                                  .formatted(
                                      met[0],
                                      Quantities.counted(
                                          met[1], "other " + choice.kind().noun())))));
    }
  }

  /** Returns the numbers of comparisons with one best engine, with several and with none. */
  public static Claim sure(Choice choice) {
    List<Contest> contests = choice.contests();
    List<Contest> compared = choice.compared();
    List<String> engines =
        contests.stream().flatMap(contest -> contest.all().stream()).distinct().toList();
    if (choice.kind() != Kind.UNKNOWN && engines.size() == 1) {
      return new Claim()
          .engine(engines.get(0))
          .text(" is the only %s here, so none is recommended.".formatted(choice.kind().noun()));
    }
    if (compared.isEmpty()) {
      return Claim.of(
          contests.isEmpty()
              ? NO_PHASE
              : contests.stream().allMatch(each -> each.role() == Role.SHOWS)
                  ? UNEQUAL_WORK
                  : TOO_FEW);
    }
    long single = compared.stream().filter(contest -> contest.winner().isPresent()).count();
    Map<String, Long> outcomes = new LinkedHashMap<>();
    outcomes.put("a single best engine", single);
    outcomes.put("several may be the best", choice.deciding() - single);
    outcomes.put("no clear lead", compared.size() - choice.deciding());
    outcomes.values().removeIf(number -> number == 0);
    return Claim.of(
        "%s of %ss: %s."
            .formatted(
                Quantities.counted(compared.size(), "comparison"),
                choice.kind().noun(),
                outcomes.entrySet().stream()
                    .map(each -> each.getKey() + " in " + each.getValue())
                    .collect(joining(", "))));
  }
}
