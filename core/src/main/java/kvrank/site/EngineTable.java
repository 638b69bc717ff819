package kvrank.site;

import java.util.List;
import java.util.Optional;
import kvrank.report.chart.Markup;
import kvrank.site.advice.Contest;
import kvrank.site.advice.Links;
import kvrank.site.advice.Need;
import kvrank.site.advice.Promise;
import kvrank.stats.Standing;

/** Every contest of one engine, a row each. */
final class EngineTable {

  private EngineTable() {}

  static void write(Markup html, String engine, List<Need> needs) {
    html.open("div", "class", "scroll").open("table", "class", "sortable");
    html.open("thead").open("tr");
    for (String column : List.of("use", "comparison", "metric")) {
      html.element("th", column, "class", "w");
    }
    for (String column : List.of("value", "rank", "of its kind", "behind the best")) {
      html.element("th", column);
    }
    html.close().close().line().open("tbody").line();
    for (Need need : needs) {
      for (Contest contest : need.contests()) {
        Optional<Standing> standing = contest.ranking().standing(engine);
        if (standing.isPresent()) {
          row(html, need, contest, standing.get());
        } else if (contest.failure(engine).isPresent()) {
          begin(html, contest, false);
          html.open("td").element("a", "failed", "href", contest.runs(engine)).close();
          List.of(Contest.LAST, Contest.LAST, "").forEach(each -> html.element("td", each));
          html.close().line();
        }
      }
    }
    html.close().close().close().line();
  }

  private static void row(Markup html, Need need, Contest contest, Standing standing) {
    String engine = standing.engine();
    begin(html, contest, need.best(contest).contains(engine));
    html.open("td", "data-value", Double.toString(standing.estimate().value()));
    html.element("a", contest.value(standing), "href", contest.runs(engine)).close();
    rank(html, Optional.of(contest), engine);
    rank(
        html,
        need.parts(contest).stream().filter(it -> it.all().contains(engine)).findFirst(),
        engine);
    ContestView.behind(html, contest, standing);
    html.close().line();
  }

  private static void begin(Markup html, Contest contest, boolean best) {
    html.open("tr", "class", best ? "best" : null);
    html.open("th", "scope", "row");
    html.element(
        "a", contest.use().title(), "href", "../" + Links.use(contest.use(), contest.level()));
    html.close();
    String level = Promise.at(contest.level());
    String place = contest.study().machine().label() + (level.isEmpty() ? "" : ", " + level);
    html.open("td", "class", "w").text(contest.name() + " ");
    html.element("small", place, "class", "file").close();
    html.element("td", contest.metric(), "class", "w");
  }

  private static void rank(Markup html, Optional<Contest> contest, String engine) {
    html.element(
        "td",
        contest
            .flatMap(each -> each.ranking().standing(engine).map(own -> rank(each, own)))
            .orElse(""));
  }

  private static String rank(Contest contest, Standing standing) {
    String rank = contest.rank(standing);
    return rank.equals(Contest.LAST) ? rank : rank + " of " + contest.all().size();
  }
}
