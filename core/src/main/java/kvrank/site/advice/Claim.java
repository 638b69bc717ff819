package kvrank.site.advice;

import java.util.ArrayList;
import java.util.List;
import kvrank.report.chart.Markup;

/** One sentence of a page, whose figures link to their runs. A test recomputes each. */
public final class Claim {

  private record Part(String text, String href) {}

  private final List<Part> parts = new ArrayList<>();

  public static Claim of(String text) {
    return new Claim().text(text);
  }

  public Claim text(String text) {
    parts.add(new Part(text, null));
    return this;
  }

  public Claim link(String text, String href) {
    parts.add(new Part(text, href));
    return this;
  }

  /** Adds an engine, with a link from a page in a folder. */
  public Claim engine(String name) {
    return link(name, "../" + Links.engine(name));
  }

  /** Returns the same with links from the first page, which is in no folder. */
  public Claim atTop() {
    Claim top = new Claim();
    for (Part part : parts) {
      String href = part.href();
      top.parts.add(new Part(part.text(), href == null ? null : href.replaceFirst("^[.][.]/", "")));
    }
    return top;
  }

  public void write(Markup html, String tag) {
    html.open(tag, "class", "claim");
    for (Part part : parts) {
      if (part.href() == null) {
        html.text(part.text());
      } else {
        html.element("a", part.text(), "href", part.href());
      }
    }
    html.close().line();
  }

  /** Writes claims as a list; nothing without any. */
  public static void write(Markup html, List<Claim> claims) {
    if (!claims.isEmpty()) {
      html.open("ul").line();
      claims.forEach(claim -> claim.write(html, "li"));
      html.close().line();
    }
  }
}
