package kvrank.site;

import java.util.List;
import java.util.function.UnaryOperator;
import kvrank.report.chart.Markup;
import kvrank.site.advice.Agreement;
import kvrank.site.advice.Choice;
import kvrank.site.advice.Claim;
import kvrank.site.advice.Kind;
import kvrank.site.advice.Leads;
import kvrank.site.advice.Links;
import kvrank.site.advice.LowerHits;
import kvrank.site.advice.Need;
import kvrank.site.advice.Promise;
import kvrank.site.advice.Tally;

/** What to reach for and to avoid, for one use at one level, on the first page. */
final class Card {

  /** What follows an engine that broke the promise of its level in a crash. */
  private static final String NOT_DURABLE = " (not durable)";

  private Card() {}

  static void write(Markup html, Need need, boolean oneMachine) {
    html.open("dl").line();
    if (!need.level().isEmpty()) {
      html.element("dt", Promise.title(need.level()), "class", "level").line();
    }
    for (Choice choice : need.choices()) {
      if (choice.kind() != Kind.UNKNOWN) {
        html.element("dt", choice.kind().title()).line();
      }
      write(html, choice);
    }
    html.open("dd").line();
    Claim rest =
        Claim.of("And %d more: ".formatted(need.compared().size() - Leads.MOST))
            .link("all comparisons", "../" + Links.use(need.use()))
            .text(".");
    Claim.write(
        html, Leads.of(need.compared(), oneMachine, rest).stream().map(Claim::atTop).toList());
    new Agreement(need.contests())
        .claims().stream().limit(1).forEach(each -> each.write(html, "p"));
    html.close().close().line();
  }

  private static void write(Markup html, Choice choice) {
    names(
        html,
        "Reach for",
        choice.reach().stream().map(Tally::engine).toList(),
        engine ->
            (choice.lowerHits(engine).isPresent() ? LowerHits.NOTE : "") + choice.failures(engine),
        choice.compared().isEmpty() ? "" : choice.noReach());
    names(
        html,
        "Avoid",
        choice.avoid(),
        engine ->
            (choice.unsafe().containsKey(engine) ? NOT_DURABLE : "") + choice.failures(engine),
        "");
    html.open("dd");
    choice.sure().atTop().write(html, "p");
    html.close().line();
  }

  private static void names(
      Markup html, String what, List<String> engines, UnaryOperator<String> note, String none) {
    if (engines.isEmpty() && none.isEmpty()) {
      return;
    }
    html.open("dd").element("span", what + ": ", "class", "what");
    if (engines.isEmpty()) {
      html.text(none);
    }
    String separator = "";
    for (String engine : engines) {
      html.text(separator);
      separator = ", ";
      html.element("a", engine, "href", Links.engine(engine)).text(note.apply(engine));
    }
    html.close().line();
  }
}
