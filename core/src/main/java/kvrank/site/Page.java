package kvrank.site;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import kvrank.report.chart.Markup;
import kvrank.report.chart.Theme;
import kvrank.report.write.Frame;
import kvrank.site.advice.Links;
import kvrank.site.advice.Machine;
import kvrank.site.advice.UseCase;

/** The frame of every page: head, title, and links to the other pages. */
final class Page {

  private static final int LONG = 30;

  private static final Frame FRAME = Frame.of(Theme.resource(Page.class, "site.css"), "");

  /** The content of the site, for its navigation. */
  record Contents(
      List<UseCase> uses, Set<String> engines, List<Machine> machines, boolean requirements) {}

  private final Markup html = new Markup();

  /**
   * Begins a page.
   *
   * @param up the path from the page to the first page: empty or {@code ../}
   */
  Page(Contents contents, String up, String kicker, String title) {
    html.raw("<!DOCTYPE html>\n").open("html", "lang", "en").line();
    FRAME.head(html, title + " · kvrank");
    html.open("body").line();
    html.element("a", "Skip to the content", "class", "skip", "href", "#main").line();
    html.open("header").line().element("p", kicker, "class", "kicker").line();
    html.element("h1", title).close().line();
    html.open("div", "class", "frame").line();
    navigation(contents, up);
    html.open("main", "id", "main", "tabindex", "-1").line();
  }

  private void navigation(Contents contents, String up) {
    html.open("nav", "aria-label", "Site").open("ul").line();
    link(up + "index.html", "Which engine?");
    contents.uses().forEach(use -> link(up + Links.use(use), use.title()));
    if (contents.requirements()) {
      link(up + Links.REQUIREMENTS, "Requirements");
    }
    link(up + "index.html#engines", "Engines");
    link(up + "index.html#machines", "Machines");
    link(up + "method.html", "Method");
    html.close().close().line();
  }

  private void link(String href, String text) {
    html.open("li").element("a", text, "href", href).close().line();
  }

  /** Returns the classes of a cell with words, which wrap if they are many. */
  static String words(String text) {
    return text.length() > LONG ? "w wrap" : "w";
  }

  Markup html() {
    return html;
  }

  /** Ends the page and returns it. */
  byte[] end() {
    html.close().close().line();
    FRAME.script(html);
    html.close().line().close().line();
    return html.toString().getBytes(StandardCharsets.UTF_8);
  }
}
