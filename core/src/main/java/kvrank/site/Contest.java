package kvrank.site;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import kvrank.metric.Direction;
import kvrank.report.ranking.RankingTables;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.ResourceRanking;
import kvrank.stats.Standing;
import kvrank.stats.infer.Ratio;

/**
 * One ranking: engines in a phase at a factor point on a machine.
 *
 * @param group the phase; the ranking may be of one of its operations
 */
record Contest(Study study, UseCase use, Group group, Ranking ranking, Role role) {

  /** What a contest is for. */
  enum Role {
    /** Its ranks say which engine to reach for, and which to avoid. */
    RECOMMENDS,
    /** Engines did unequal work before it, so that it has only values. */
    SHOWS
  }

  /** Returns the contest of memory or storage. */
  static Contest of(Study study, UseCase use, ResourceRanking each) {
    return new Contest(
        study,
        use,
        each.ranking().group(),
        each.ranking(),
        each.equalWork() ? Role.RECOMMENDS : Role.SHOWS);
  }

  RankingIndex index() {
    return study.index();
  }

  /** Returns the level of durability; empty if the records have none. */
  String level() {
    return group.fsync();
  }

  /** Returns the name of the measurement, the same on every machine. */
  String name() {
    return study.scenario()
        + " · "
        + group.phase()
        + (group.pointAtLevel().isEmpty() ? "" : " · " + group.pointAtLevel());
  }

  String metric() {
    return RankingTables.title(index(), ranking);
  }

  /** Returns the name with the machine. */
  String place() {
    return name() + " on " + study.machine().label();
  }

  /** Returns the engines with enough repetitions for a test. */
  List<Standing> tested() {
    return ranking.standings().stream().filter(standing -> !standing.untested()).toList();
  }

  /** Returns whether it recommends, and two engines or more can be compared. */
  boolean compares() {
    return role == Role.RECOMMENDS && tested().size() > 1;
  }

  /** Returns the engines that can be first, the best first; none without a comparison. */
  List<Standing> leaders() {
    return compares()
        ? tested().stream().filter(standing -> standing.ranks().best() == 1).toList()
        : List.of();
  }

  /** Returns the engines that can be first and are not far behind the first. */
  List<Standing> best() {
    return leaders().stream().filter(each -> behind(each).value() < Tally.FAR).toList();
  }

  /** Returns the only engine that can be first; one with too few repetitions for a test can. */
  Optional<Standing> winner() {
    long possible = ranking.standings().stream().filter(each -> each.rank() == 1).count();
    return leaders().stream().filter(each -> possible == 1).findFirst();
  }

  /** Returns the distance of a standing from the first: the ratio, 1 or more if it is worse. */
  Ratio behind(Standing standing) {
    Ratio ratio = standing.ratio();
    return ranking.metric().direction() == Direction.HIGHER
        ? new Ratio(1 / ratio.value(), 1 / ratio.high(), 1 / ratio.low(), ratio.confidence())
        : ratio;
  }

  /** Returns the whole multiple by which a standing is certainly behind; NaN if unknown. */
  double surelyBehind(Standing standing) {
    Ratio behind = behind(standing);
    return standing.untested() || !behind.hasInterval() ? Double.NaN : behind.low();
  }

  /** Returns whether no engine is separated from a standing as worse. */
  boolean canBeLast(Standing standing) {
    return standing.ranks().worst() == ranking.standings().size();
  }

  String value(Standing standing) {
    return RankingTables.value(ranking.metric(), standing);
  }

  /** Returns the engines with a value, the best first, or by their names if it is only shown. */
  List<Standing> rows() {
    return role != Role.SHOWS
        ? ranking.standings()
        : ranking.standings().stream().sorted(Comparator.comparing(Standing::engine)).toList();
  }

  /** Returns the possible ranks; {@code -} if values are only shown. */
  String rank(Standing standing) {
    return role == Role.SHOWS ? "-" : RankingTables.rank(standing);
  }

  /** Returns whether a standing can be the first of a ranking. */
  boolean first(Standing standing) {
    return role != Role.SHOWS && standing.rank() == 1;
  }

  /** Returns whether the disk's flushes contradict a level that promises some. */
  boolean unproven(String engine) {
    return group.promisesFlushes() && index().doubted(group, engine);
  }

  /** Returns the address of the runs of an engine, from a page in a folder. */
  String runs(String engine) {
    return study.runs(group, engine);
  }
}
