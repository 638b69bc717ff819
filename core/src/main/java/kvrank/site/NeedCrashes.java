package kvrank.site;

import static java.util.stream.Collectors.toCollection;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import kvrank.engine.Fsync;
import kvrank.report.chart.Markup;
import kvrank.report.ranking.Labels;
import kvrank.results.CrashTrialResult.PowerCut;
import kvrank.site.advice.Claim;
import kvrank.site.advice.CrashResult;
import kvrank.site.advice.Need;
import kvrank.site.advice.Promise;

/** The crashes of engines at the level of a need, and the engines there without any. */
record NeedCrashes(Need need) {

  /** Writes them, at a level that promises something, or if there was a crash. */
  void write(Markup html) {
    if (Promise.of(need.level()).isEmpty()
        || need.contests().isEmpty()
        || need.use().ofResources()) {
      return;
    }
    List<CrashResult> crashed = need.crashes().stream().filter(CrashResult::crashed).toList();
    if (crashed.isEmpty() && !need.contests().get(0).group().promisesFlushes()) {
      return;
    }
    coverage(crashed).write(html, "p");
    if (!crashed.isEmpty()) {
      html.open("details").element("summary", "What they lost").line();
      Claim.write(html, crashed.stream().map(this::losses).toList());
      html.close().line();
    }
  }

  /** Returns the numbers of engines that were killed and whose power was cut, and the others. */
  private Claim coverage(List<CrashResult> crashed) {
    Set<String> killed = engines(crashed, false);
    Set<String> cut = engines(crashed, true);
    Set<String> spared = new TreeSet<>();
    need.contests().forEach(contest -> spared.addAll(contest.all()));
    spared.removeAll(killed);
    spared.removeAll(cut);
    boolean several = need.level().startsWith(Fsync.AT_LEAST);
    Claim claim =
        Claim.of(
            "Engines that were killed at %s: %s; whose power was cut: %s"
                .formatted(
                    several ? "the level that they have here" : "this level",
                    number(killed),
                    number(cut) + disks(crashed)));
    if (!crashed.isEmpty() && !spared.isEmpty()) {
      claim.text("; neither: ").engines(spared);
    }
    return claim.text(".");
  }

  private static Set<String> engines(List<CrashResult> crashed, boolean powerCut) {
    return crashed.stream()
        .filter(each -> each.losses().powerCut() == powerCut)
        .map(CrashResult::engine)
        .collect(toCollection(TreeSet::new));
  }

  /** Returns for example {@code , on a simulated disk with ext4}; empty without a power cut. */
  private static String disks(List<CrashResult> crashed) {
    List<String> fileSystems =
        crashed.stream()
            .flatMap(each -> each.losses().crashes().stream())
            .flatMap(crash -> crash.powerCut().stream())
            .map(PowerCut::fileSystem)
            .distinct()
            .sorted()
            .toList();
    return fileSystems.isEmpty() ? "" : ", on a simulated disk with " + Labels.joined(fileSystems);
  }

  private static String number(Collection<String> engines) {
    return engines.isEmpty() ? "none" : Integer.toString(engines.size());
  }

  /** Returns the losses of an engine, with its level if the need is about several. */
  private Claim losses(CrashResult result) {
    Claim claim = new Claim().engine(result.engine());
    if (!result.group().fsync().equals(need.level())) {
      claim.text(", which has %s here".formatted(Promise.at(result.losses().level())));
    }
    return result.addTo(claim.text(": in ")).text(".");
  }
}
