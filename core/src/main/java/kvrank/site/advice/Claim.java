package kvrank.site.advice;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
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

  /** Adds for example {@code redis, rocksdb and lmdb}. */
  public Claim engines(Collection<String> names) {
    return joined(names, Claim::engine);
  }

  /** Adds each of {@code items}, with a comma or "and" before the next. */
  public <T> Claim joined(Collection<T> items, BiConsumer<Claim, T> add) {
    int left = items.size();
    for (T each : items) {
      add.accept(this, each);
      left--;
      text(left == 0 ? "" : left == 1 ? " and " : ", ");
    }
    return this;
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
