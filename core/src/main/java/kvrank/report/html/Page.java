package kvrank.report.html;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import kvrank.report.chart.Markup;
import kvrank.report.chart.Svg;
import kvrank.report.chart.Theme;

/** The frame of a page: head, styles, contents, sections, script. */
final class Page {

  private record Section(String id, String title, Consumer<Markup> body) {}

  private final String title;
  private final Consumer<Markup> header;
  private final List<Section> sections = new ArrayList<>();

  Page(String title, Consumer<Markup> header) {
    this.title = title;
    this.header = header;
  }

  void section(String sectionTitle, Consumer<Markup> body) {
    String id = Svg.fileName(sectionTitle);
    long same = sections.stream().filter(section -> section.id().equals(id)).count();
    sections.add(new Section(same == 0 ? id : id + "-" + sections.size(), sectionTitle, body));
  }

  String html() {
    Markup html = new Markup();
    html.raw("<!DOCTYPE html>\n").open("html", "lang", "en").line().open("head").line();
    html.empty("meta", "charset", "utf-8").line();
    html.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    html.line().empty("meta", "name", "color-scheme", "content", "light dark").line();
    // An image that asks for nothing, so that a browser does not ask a server for an icon.
    html.empty("link", "rel", "icon", "href", "data:,").line();
    html.element("title", title).line();
    html.open("style").raw("\n" + Theme.css() + resource("report.css")).close().line().close();
    html.line().open("body").line();
    html.element("a", "Skip to the results", "class", "skip", "href", "#main").line();
    html.open("header").line();
    header.accept(html);
    html.close().line().open("div", "class", "frame").line();
    contents(html);
    html.open("main", "id", "main", "tabindex", "-1").line();
    for (Section section : sections) {
      html.open("section", "aria-labelledby", section.id());
      html.element("h2", section.title(), "id", section.id()).line();
      section.body().accept(html);
      html.close().line();
    }
    html.close().close().line();
    html.open("script").raw("\n" + resource("report.js")).close().line();
    return html.close().line().close().line().toString();
  }

  private void contents(Markup html) {
    html.open("nav", "aria-label", "Contents").open("ul").line();
    for (Section section : sections) {
      html.open("li").element("a", section.title(), "href", "#" + section.id()).close().line();
    }
    html.close().close().line();
  }

  private static String resource(String name) {
    try (InputStream in = Page.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
