package kvrank.site;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import kvrank.report.chart.Markup;
import kvrank.report.ranking.Labels;
import kvrank.report.ranking.Notes;
import kvrank.results.Durability.Verdict;
import kvrank.site.advice.Claim;
import kvrank.site.advice.Contest;
import kvrank.site.advice.Contest.Role;
import kvrank.site.advice.Failure;
import kvrank.site.advice.Kind;
import kvrank.site.advice.Need;
import kvrank.stats.Absence;
import kvrank.stats.Excluded;
import kvrank.stats.ResourceRanking;
import kvrank.stats.Standing;

/** What is below the table of a contest: durability, labels and engines without a rank. */
record ContestNotes(Markup html, Need need) {

  /** Absences of engines that are in no row, and have not failed. */
  private static final Set<Absence> UNRANKED =
      EnumSet.of(Absence.NOT_MEASURABLE, Absence.NOT_DURABLE);

  /** Writes the durability of all engines, and the labels as in the report. */
  void write(Contest contest, Collection<String> durabilities) {
    if (contest.role() == Role.SHOWS) {
      html.element("p", Labels.capitalized(ResourceRanking.UNEQUAL_WORK) + ".").line();
    }
    List<Contest> parts = need.parts(contest);
    List<Contest> disturbed = parts.stream().filter(it -> it.role() == Role.DISTURBED).toList();
    if (!disturbed.isEmpty()) {
      Kind kind = disturbed.get(0).kinds().iterator().next();
      html.element(
          "p",
          "It recommends %s: others disturbed most runs, and a quiet comparison decides."
              .formatted(disturbed.size() == parts.size() ? "nothing" : "no " + kind.noun()));
    }
    if (contest.threads().isPresent()) {
      html.element(
          "p",
          "Groups of threads run at their own pace here: each is compared apart. All labels except those about ranks are for the whole phase.");
    }
    Set<String> shared = Set.copyOf(durabilities);
    if (shared.size() == 1 && !shared.contains("")) {
      html.element("p", "Durability of every row: " + String.join("", shared) + ".").line();
    }
    if (contest.role() == Role.QUALIFIES || contest.use().ofResources()) {
      return;
    }
    for (Failure each : contest.failures()) {
      new Claim()
          .engine(each.engine())
          .text(" counts as last: it failed in %s.".formatted(each.text()))
          .write(html, "p");
    }
    Labels labels =
        contest.threads().isPresent()
            ? new Labels(contest.index(), contest.group(), contest.ranking())
            : new Labels(contest.index(), contest.group());
    List<String> items = new ArrayList<>(labels.shared());
    for (Standing standing : contest.ranking().standings()) {
      String own = labels.of(standing.engine());
      if (!own.isEmpty()) {
        items.add(standing.engine() + ": " + own);
      }
    }
    list("Labels", items);
    list(
        "Not ranked",
        contest.index().shown(contest.group()).excluded().stream()
            .filter(each -> each.absence().refused() || UNRANKED.contains(each.absence()))
            .map(each -> each.engine() + ": " + cause(each))
            .toList());
    list("Why durability is not measurable", undecided(contest));
  }

  /** Returns the cause; how to get an engine is on the page of the runs. */
  private static String cause(Excluded excluded) {
    return excluded.absence() == Absence.UNAVAILABLE
        ? excluded.absence().label()
        : Notes.cause(excluded);
  }

  /** Returns the first reason for each verdict on durability that decides nothing. */
  private static List<String> undecided(Contest contest) {
    List<String> reasons = new ArrayList<>();
    for (Standing standing : contest.ranking().standings()) {
      contest
          .index()
          .durability(contest.group(), standing.engine())
          .filter(found -> found.verdict() == Verdict.NOT_MEASURABLE)
          .map(
              found ->
                  "%s, %s: %s".formatted(standing.engine(), found.label(), found.reasons().get(0)))
          .ifPresent(reasons::add);
    }
    return reasons;
  }

  private void list(String title, List<String> items) {
    if (!items.isEmpty()) {
      html.open("details", "open", "open").element("summary", title).open("ul").line();
      items.forEach(item -> html.element("li", item).line());
      html.close().close().line();
    }
  }
}
