package kvrank.site;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import kvrank.report.chart.Markup;
import kvrank.site.advice.Agreement;
import kvrank.site.advice.Choice;
import kvrank.site.advice.ChoiceClaims;
import kvrank.site.advice.Claim;
import kvrank.site.advice.Kind;
import kvrank.site.advice.Leads;
import kvrank.site.advice.Links;
import kvrank.site.advice.LowerHits;
import kvrank.site.advice.Need;
import kvrank.site.advice.Promise;
import kvrank.site.advice.Reasons;
import kvrank.site.advice.Tally;

/** What to reach for and to avoid, for one use at one level, on the first page. */
final class Card {

  /** What follows an engine that broke the promise of its level in a crash. */
  private static final String NOT_DURABLE = " (not durable)";

  private Card() {}

  static void write(Markup html, Need need, boolean oneMachine) {
    if (need.choices().isEmpty() && need.compared().isEmpty()) {
      return;
    }
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
            .link("all comparisons", "../" + Links.comparisons(need.use(), need.level()))
            .text(".");
    Claim.write(
        html, Leads.of(need.compared(), oneMachine, rest).stream().map(Claim::atTop).toList());
    new Agreement(need.contests())
        .claims().stream().limit(1).forEach(each -> each.write(html, "p"));
    html.close().close().line();
  }

  private static void write(Markup html, Choice choice) {
    ChoiceClaims.none(choice)
        .ifPresent(
            each -> {
              html.open("dd");
              each.atTop().write(html, "p");
              html.close().line();
            });
    for (boolean provisional : new boolean[] {false, true}) {
      names(
          html,
          "Reach for" + (provisional ? Reasons.PROVISIONAL : ""),
          choice.reach().stream()
              .filter(each -> each.provisionallyBest() == provisional)
              .map(Tally::engine)
              .toList(),
          engine ->
              (choice.lowerHits(engine).isPresent() ? LowerHits.NOTE : "")
                  + choice.crashCosts(engine).note()
                  + failures(choice, engine));
    }
    List<String> avoid = new ArrayList<>(choice.notDurable().keySet());
    List<String> provisionally = new ArrayList<>();
    for (Tally each : choice.slow()) {
      if (!avoid.contains(each.engine())) {
        (each.provisionallyLast() ? provisionally : avoid).add(each.engine());
      }
    }
    UnaryOperator<String> note =
        engine ->
            (choice.unsafe().containsKey(engine) ? NOT_DURABLE : "") + failures(choice, engine);
    names(html, "Avoid", avoid, note);
    names(html, "Avoid" + Reasons.PROVISIONAL, provisionally, note);
    if (choice.compared().isEmpty() || choice.deciding() > 0) {
      html.open("dd");
      ChoiceClaims.sure(choice).atTop().write(html, "p");
      html.close().line();
    }
  }

  /** Returns for example {@code (failed in 1 of 3)}; empty without a failure. */
  private static String failures(Choice choice, String engine) {
    return choice
        .tally(engine)
        .filter(each -> !each.failed().isEmpty())
        .map(each -> " (failed in %d of %d)".formatted(each.failed().size(), each.all().size()))
        .orElse("");
  }

  /** Writes names of engines, if there are any. */
  private static void names(
      Markup html, String what, List<String> engines, UnaryOperator<String> note) {
    if (engines.isEmpty()) {
      return;
    }
    html.open("dd").element("span", what + ": ", "class", "what");
    String separator = "";
    for (String engine : engines) {
      html.text(separator);
      separator = ", ";
      html.element("a", engine, "href", Links.engine(engine)).text(note.apply(engine));
    }
    html.close().line();
  }
}
