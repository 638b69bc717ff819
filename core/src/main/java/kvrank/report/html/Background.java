package kvrank.report.html;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.report.chart.Markup;
import kvrank.results.RunRecord;

/** Where the numbers come from: settings, machine, engines, scenario. */
final class Background {

  private static final int SHOWN = 4;

  private final Findings findings;
  private final RawSeries series;

  Background(Findings findings, RawSeries series) {
    this.findings = findings;
    this.series = series;
  }

  void environment(Markup html) {
    SortedMap<String, String> facts = findings.results().environment();
    if (facts.isEmpty()) {
      html.element("p", "Nothing is known of the machine.");
    } else {
      pairs(html, "The machine", facts);
    }
    html.element("h3", "Settings");
    SortedMap<String, String> settings = new TreeMap<>();
    findings
        .results()
        .manifest()
        .factors()
        .forEach((name, values) -> settings.put(name, String.join(", ", values)));
    pairs(html, "Settings; several values are a factor that varies", settings);
  }

  void engines(Markup html) {
    for (String engine : findings.engines()) {
      Map<String, Set<String>> facts = new TreeMap<>();
      for (RunRecord run : findings.runs()) {
        if (run.engine().equals(engine)) {
          run.facts()
              .forEach(
                  (fact, value) ->
                      facts.computeIfAbsent(fact, name -> new LinkedHashSet<>()).add(value));
        }
      }
      html.open("details").element("summary", engine);
      if (facts.isEmpty()) {
        html.element("p", "Nothing was learned of it.");
      } else {
        SortedMap<String, String> texts = new TreeMap<>();
        facts.forEach((fact, values) -> texts.put(fact, values(values)));
        pairs(html, "Facts of " + engine, texts);
      }
      html.close().line();
    }
  }

  private static String values(Set<String> values) {
    List<String> shown = new ArrayList<>(values).subList(0, Math.min(SHOWN, values.size()));
    String text = String.join(", ", shown);
    return values.size() > SHOWN ? text + " and " + (values.size() - SHOWN) + " more" : text;
  }

  void scenario(Markup html) {
    if (series.scenario().isEmpty()) {
      html.element("p", "The resolved scenario is not there.");
      return;
    }
    html.open("details").element("summary", "scenario.yaml");
    html.open("pre", "tabindex", "0").element("code", series.scenario()).close();
    html.close().line();
  }

  private static void pairs(Markup html, String caption, SortedMap<String, String> pairs) {
    html.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", caption);
    html.open("table", "class", "pairs").element("caption", caption).open("tbody");
    pairs.forEach(
        (name, value) ->
            html.open("tr")
                .element("th", name, "scope", "row")
                .element("td", value.isEmpty() ? "(empty)" : value)
                .close()
                .line());
    html.close().close().close().line();
  }
}
