package kvrank.report.write;

import java.util.Base64;
import kvrank.report.chart.Markup;
import kvrank.report.chart.Theme;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * The style sheet and the script of a self-contained page, and the policy that allows only these,
 * by their hashes, and nothing from elsewhere.
 */
public final class Frame {

  /** The page of results, with its explorer. */
  static final Frame REPORT = of("", resource("explore.js"));

  private final String style;
  private final String script;
  private final String policy;

  private Frame(String style, String script) {
    this.style = style;
    this.script = script;
    this.policy =
        "default-src 'none'; style-src '%s'; script-src '%s'; img-src data:; base-uri 'none'; form-action 'none'"
            .formatted(hash(style), hash(script));
  }

  /** Returns the frame of reports with more rules and a longer script. */
  public static Frame of(String rules, String script) {
    return new Frame(
        "\n" + Theme.css() + resource("report.css") + rules, "\n" + resource("report.js") + script);
  }

  /** Writes the element {@code head}. */
  public void head(Markup html, String title) {
    html.open("head").line().empty("meta", "charset", "utf-8").line();
    html.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    html.line().empty("meta", "name", "color-scheme", "content", "light dark").line();
    // An empty image, so that a browser does not request an icon from a server.
    html.empty("link", "rel", "icon", "href", "data:,").line();
    html.element("title", title).line();
    html.empty("meta", "http-equiv", "Content-Security-Policy", "content", policy).line();
    html.open("style").raw(style).close().line();
    html.close().line();
  }

  /** Writes the element {@code script}. */
  public void script(Markup html) {
    html.open("script").raw(script).close().line();
  }

  private static String hash(String text) {
    return "sha256-" + Base64.getEncoder().encodeToString(DigestUtils.sha256(text));
  }

  private static String resource(String name) {
    return Theme.resource(Frame.class, name);
  }
}
