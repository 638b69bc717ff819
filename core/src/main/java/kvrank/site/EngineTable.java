package kvrank.site;

import java.util.List;
import kvrank.report.chart.Markup;
import kvrank.stats.Standing;

/** Every contest of one engine, a row each. */
final class EngineTable {

  private EngineTable() {}

  static void write(Markup html, String engine, List<Need> needs) {
    html.open("div", "class", "scroll").open("table", "class", "sortable");
    html.open("thead").open("tr");
    for (String column : List.of("use", "comparison", "machine", "fsync", "metric")) {
      html.element("th", column, "class", "w");
    }
    for (String column : List.of("value", "rank", "of", "behind the best")) {
      html.element("th", column);
    }
    html.close().close().line().open("tbody").line();
    for (Need need : needs) {
      for (Contest contest : need.contests()) {
        contest
            .ranking()
            .standing(engine)
            .ifPresent(standing -> row(html, contest, standing, need.best(contest)));
      }
    }
    html.close().close().close().line();
  }

  private static void row(Markup html, Contest contest, Standing standing, List<String> best) {
    String engine = standing.engine();
    html.open("tr", "class", best.contains(engine) ? "best" : null);
    html.open("th", "scope", "row");
    html.element("a", contest.use().title(), "href", "../" + Links.use(contest.use())).close();
    html.element("td", contest.name(), "class", "w");
    html.element("td", contest.study().machine().label(), "class", "w");
    html.element("td", contest.level(), "class", "w");
    html.element("td", contest.metric(), "class", "w");
    html.open("td", "data-value", Double.toString(standing.estimate().value()));
    html.element("a", contest.value(standing), "href", contest.runs(engine)).close();
    html.element("td", contest.rank(standing));
    html.element("td", Integer.toString(contest.ranking().standings().size()));
    html.element("td", ContestView.behind(contest, standing));
    html.close().line();
  }
}
