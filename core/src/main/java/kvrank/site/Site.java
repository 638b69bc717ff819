package kvrank.site;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.stream.Stream;
import kvrank.engine.EngineDefinition;
import kvrank.report.chart.Markup;
import kvrank.report.section.CrashAnswers;
import kvrank.results.ExecutionResults;
import kvrank.site.advice.Advice;
import kvrank.site.advice.Agreement;
import kvrank.site.advice.Choice;
import kvrank.site.advice.ChoiceClaims;
import kvrank.site.advice.Claim;
import kvrank.site.advice.Contest;
import kvrank.site.advice.CrashResult;
import kvrank.site.advice.EngineAdvice;
import kvrank.site.advice.EngineClaims;
import kvrank.site.advice.EngineCrashes;
import kvrank.site.advice.Kind;
import kvrank.site.advice.Links;
import kvrank.site.advice.Machine;
import kvrank.site.advice.Need;
import kvrank.site.advice.Promise;
import kvrank.site.advice.Scale;
import kvrank.site.advice.Study;
import kvrank.site.advice.UseCase;

/**
 * A static site about executions of any scenarios and machines. It repeats the rankings of the
 * reports, and its sentences are templates over them. Nothing is written here.
 */
public final class Site {

  private static final String LOSSES = "losses";

  private final SortedMap<Machine, List<ExecutionResults>> machines;
  private final List<Study> studies;
  private final List<Need> needs;
  private final Advice advice;
  private final List<StudyRequirements> requirements;
  private final Page.Contents contents;
  private final Map<String, About> abouts = new TreeMap<>();

  private Site(
      List<ExecutionResults> executions, Function<String, Optional<EngineDefinition>> shipped) {
    this.machines = Machine.of(executions);
    this.studies =
        Study.of(
            machines,
            engine -> shipped.apply(engine).filter(EngineDefinition::baseline).isPresent());
    List<CrashResult> crashes =
        studies.stream().flatMap(each -> CrashResult.of(each).stream()).toList();
    this.needs =
        Need.of(studies.stream().flatMap(each -> each.contests().stream()).toList(), crashes);
    this.advice = Advice.of(needs);
    this.requirements =
        studies.stream().flatMap(study -> StudyRequirements.of(study).stream()).toList();
    Set<String> engines = new TreeSet<>();
    requirements.forEach(each -> each.rows().forEach(row -> engines.add(row.engine())));
    crashes.forEach(each -> engines.add(each.engine()));
    for (Study study : studies) {
      study.contests().stream().forEach(contest -> engines.addAll(contest.all()));
    }
    this.contents =
        new Page.Contents(
            needs.stream().map(Need::use).distinct().toList(),
            engines,
            List.copyOf(machines.keySet()),
            !requirements.isEmpty());
    engines.forEach(engine -> abouts.put(engine, About.of(studies, engine, shipped)));
  }

  /** Returns the files of the site by their paths. */
  public static SortedMap<String, byte[]> of(List<ExecutionResults> executions) {
    return of(executions, any -> Optional.empty());
  }

  /**
   * Returns the same, with descriptions of engines whose runs have none, as those of an older
   * kvrank.
   *
   * @param shipped returns an engine of this kvrank by its name
   */
  public static SortedMap<String, byte[]> of(
      List<ExecutionResults> executions, Function<String, Optional<EngineDefinition>> shipped) {
    return new Site(executions, shipped).files();
  }

  private SortedMap<String, byte[]> files() {
    SortedMap<String, byte[]> files = new ConcurrentSkipListMap<>();
    List<Runnable> pages = new ArrayList<>();
    HomePage home = new HomePage(contents, machines, studies, needs, abouts, requirements);
    pages.add(() -> files.put("index.html", home.of()));
    pages.add(() -> files.put("method.html", MethodPage.of(contents)));
    if (contents.requirements()) {
      pages.add(() -> files.put(Links.REQUIREMENTS, RequirementsPage.of(contents, requirements)));
    }
    for (UseCase use : contents.uses()) {
      pages.add(() -> files.put(Links.use(use), use(use)));
    }
    for (String engine : contents.engines()) {
      pages.add(() -> files.put(Links.engine(engine), engine(engine)));
    }
    Agreement agreement =
        new Agreement(studies.stream().flatMap(each -> each.contests().stream()).toList());
    machines.forEach(
        (machine, own) ->
            pages.add(
                () ->
                    files.put(
                        Links.machine(machine),
                        MachinePage.of(contents, machine, own, studies, agreement.with(machine)))));
    for (Study study : studies) {
      pages.add(() -> files.put(Links.runs(study), RunsPage.of(contents, study)));
    }
    pages.parallelStream().forEach(Runnable::run);
    return new TreeMap<>(files);
  }

  private byte[] use(UseCase use) {
    Page page = new Page(contents, "../", use.meaning(), use.title() + ": " + use.when());
    Markup html = page.html();
    List<Need> own = needs.stream().filter(need -> need.use() == use).toList();
    Scale.of(studies(own)).ifPresent(each -> each.write(html, "p"));
    Storage.of(studies(own)).write(html, "p");
    for (Need need : own) {
      html.open("section");
      String title = need.level().isEmpty() ? use.title() : Promise.title(need.level());
      html.element("h2", title, "id", Links.level(need.level())).line();
      for (Choice choice : need.choices()) {
        if (choice.kind() != Kind.UNKNOWN) {
          html.element("h3", choice.kind().title()).line();
        }
        Claim.write(html, new ChoiceClaims(choice, advice).all());
      }
      new NeedCrashes(need).write(html);
      if (!need.contests().isEmpty()) {
        machines(html, need);
      }
      Map<String, List<Contest>> contests = new LinkedHashMap<>();
      need.contests()
          .forEach(
              each -> contests.computeIfAbsent(each.name(), any -> new ArrayList<>()).add(each));
      html.open("div", "id", Links.comparisons(need.level())).line();
      contests.forEach((name, same) -> contests(html, need, name, same));
      html.close().close().line();
    }
    if (use == UseCase.DURABLE) {
      crashes(html);
    }
    return page.end();
  }

  private static List<Study> studies(List<Need> needs) {
    return needs.stream()
        .flatMap(need -> need.contests().stream())
        .map(Contest::study)
        .distinct()
        .toList();
  }

  private static void machines(Markup html, Need need) {
    List<Claim> machines = new Agreement(need.contests()).claims();
    html.element("h3", "What differs between machines").line();
    if (machines.isEmpty()) {
      html.element("p", "These comparisons are from one machine: nothing is known about others.");
    }
    Claim.write(html, machines);
  }

  /** Writes what engines lost, in the sentences of the reports. */
  private void crashes(Markup html) {
    List<String> lost = new ArrayList<>();
    for (Study study : studies) {
      for (String answer : CrashAnswers.of(study.index())) {
        lost.add("%s, %s: %s".formatted(study.machine().label(), study.scenario(), answer));
      }
    }
    if (!lost.isEmpty()) {
      html.open("section").element("h2", "Lost in crashes and power cuts", "id", LOSSES);
      html.open("ul").line();
      lost.forEach(each -> html.element("li", each).line());
      html.close().close().line();
    }
  }

  /** Writes what each machine measured; all but the first are folded. */
  private static void contests(Markup html, Need need, String name, List<Contest> contests) {
    html.element("h3", name).line();
    Machine first = contests.get(0).study().machine();
    boolean several = contests.stream().map(Contest::metric).distinct().count() > 1;
    for (Contest contest : contests) {
      Machine machine = contest.study().machine();
      html.open("details", "open", machine.equals(first) ? "open" : null);
      html.element("summary", machine.label() + (several ? ", " + contest.metric() : "")).line();
      new ContestView(html, need).write(contest);
      html.close().line();
    }
  }

  private byte[] engine(String engine) {
    EngineClaims claims = new EngineClaims(engine, advice, needs, studies);
    EngineAdvice own = new EngineAdvice(engine, advice, studies);
    About about = abouts.get(engine);
    String kicker =
        Stream.of(about.language(), versions(engine))
            .filter(text -> !text.isEmpty())
            .collect(joining(" · "));
    Page page = new Page(contents, "../", kicker, engine);
    Markup html = page.html();
    if (!about.description().isEmpty()) {
      html.element("p", about.description(), "class", "verdict").line();
    }
    about.variant().ifPresent(each -> each.write(html, "p"));
    section(html, "Reach for it, or avoid it", own.claims());
    section(html, "Also among the best", own.best());
    section(
        html,
        "Requirements of scenarios",
        requirements.stream().flatMap(each -> each.of(engine).stream()).toList());
    section(html, "Crashes and power cuts", new EngineCrashes(engine, studies).all());
    section(html, "Watch out for", claims.watch());
    section(html, "Memory and storage", claims.resources());
    html.open("section").element("h2", "All comparisons", "id", "comparisons").line();
    EngineTable.write(html, engine, needs);
    html.close().line();
    return page.end();
  }

  /** Writes a section with claims, if there are any. */
  static void section(Markup html, String title, List<Claim> claims) {
    if (!claims.isEmpty()) {
      html.open("section").element("h2", title).line();
      Claim.write(html, claims);
      html.close().line();
    }
  }

  /** Returns the versions and ways of an engine, for example {@code 7.0.15 (process)}. */
  private String versions(String engine) {
    return studies.stream()
        .flatMap(study -> study.index().results().runs().stream())
        .filter(run -> run.engine().equals(engine))
        .map(
            run ->
                Stream.of(
                        run.facts().text(kvrank.fact.Fact.ENGINE_VERSION),
                        run.facts().text(kvrank.fact.Fact.WAY))
                    .filter(text -> !text.isEmpty())
                    .collect(joining(", ")))
        .filter(text -> !text.isEmpty())
        .distinct()
        .sorted()
        .collect(joining("; "));
  }
}
