package kvrank.site.advice;

import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import kvrank.metric.Metrics;
import kvrank.report.block.Quantities;
import kvrank.report.ranking.RankingText;
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
 * @param front the leaders and those that are among the best; none is if values are only shown
 * @param failures of engines that count as last
 */
public record Contest(
    Study study,
    UseCase use,
    Group group,
    Ranking ranking,
    Role role,
    Front front,
    List<Failure> failures) {

  /** The rank of an engine that failed in most runs. */
  public static final String LAST = "last";

  /** What a contest is for. */
  public enum Role {
    /** Its ranks say which engine to reach for, and which to avoid. */
    RECOMMENDS,
    /** Its ranks only qualify the recommendations of another. */
    QUALIFIES,
    /** Others disturbed most of its runs, and a quiet one recommends. */
    DISTURBED,
    /** Engines did unequal work before it, so that it has only values. */
    SHOWS
  }

  public Contest(Study study, UseCase use, Group group, Ranking ranking, Role role) {
    this(study, use, group, ranking, role, Failure.of(study.index(), group));
  }

  private Contest(
      Study study, UseCase use, Group group, Ranking ranking, Role role, List<Failure> failures) {
    this(study, use, group, ranking, role, front(role, Front.of(ranking, failures)), failures);
  }

  /** Returns the contest of memory or storage. */
  public static Contest of(Study study, UseCase use, ResourceRanking each) {
    return new Contest(
        study,
        use,
        each.ranking().group(),
        each.ranking(),
        each.equalWork() ? Role.RECOMMENDS : Role.SHOWS);
  }

  private static Front front(Role role, Front front) {
    boolean none = role == Role.SHOWS || role == Role.DISTURBED;
    return none ? new Front(front.leaders(), List.of()) : front;
  }

  /** Returns the engines that are among the best. */
  public List<Standing> best() {
    return front.best();
  }

  /** Returns the same among the engines of one kind. */
  public Contest among(Kind kind) {
    return kinds().equals(Set.of(kind))
        ? this
        : new Contest(
            study,
            use,
            group,
            ranking.only(engine -> kind(engine) == kind),
            role,
            failures.stream().filter(each -> kind(each.engine()) == kind).toList());
  }

  public Set<Kind> kinds() {
    Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    all().forEach(engine -> kinds.add(kind(engine)));
    return kinds;
  }

  /** Returns the engines with a value, or that count as last. */
  public Set<String> all() {
    Set<String> engines = new TreeSet<>();
    ranking.standings().forEach(each -> engines.add(each.engine()));
    failures.forEach(each -> engines.add(each.engine()));
    return engines;
  }

  /** Returns whether this has the engines of a kind of another. */
  public boolean partOf(Contest whole) {
    return index().equals(whole.index())
        && use == whole.use
        && group.equals(whole.group)
        && ranking.metric().equals(whole.ranking.metric())
        && ranking.group().equals(whole.ranking.group());
  }

  public Kind kind(String engine) {
    return study.kind(engine);
  }

  public RankingIndex index() {
    return study.index();
  }

  /** Returns the level of durability; empty if the records have none. */
  public String level() {
    return group.fsync();
  }

  /** Returns the level of an engine, which may be stricter than that of others. */
  public String level(String engine) {
    return index().level(group, engine);
  }

  /** Returns the name of the measurement, the same on every machine. */
  public String name() {
    return name(threads().map(label -> " · " + label).orElse(""));
  }

  private String name(String threads) {
    return study.scenario()
        + " · "
        + group.phase()
        + threads
        + (group.pointAtLevel().isEmpty() ? "" : " · " + group.pointAtLevel());
  }

  public String metric() {
    return threads().isPresent() ? ranking.metric().title() : RankingText.title(index(), ranking);
  }

  /** Returns the name with the machine. */
  public String place() {
    return name() + " on " + study.machine().label();
  }

  /** Returns the same for all threads of the phase together. */
  public String phase() {
    return name("") + " on " + study.machine().label();
  }

  /** Returns the group of threads whose throughput is compared, with its operation. */
  public Optional<String> threads() {
    return ranking.metric().equals(Metrics.THROUGHPUT)
        ? ranking.group().operation()
        : Optional.empty();
  }

  /** Returns the place of an engine that has a value. */
  public Standing standing(String engine) {
    return ranking.standing(engine).orElseThrow();
  }

  /** Returns the engines with enough repetitions for a test. */
  public List<Standing> tested() {
    return Front.tested(ranking).toList();
  }

  /** Returns the engines that can be compared or count as last. */
  public Set<String> engines() {
    Set<String> engines = new TreeSet<>();
    tested().forEach(each -> engines.add(each.engine()));
    failures.forEach(each -> engines.add(each.engine()));
    return engines;
  }

  /** Returns the failure of an engine that counts as last. */
  public Optional<Failure> failure(String engine) {
    return failures.stream().filter(each -> each.engine().equals(engine)).findFirst();
  }

  /** Returns the same without a vote. */
  private Contest disturbed() {
    return new Contest(
        study, use, group, ranking, Role.DISTURBED, front(Role.DISTURBED, front), failures);
  }

  /**
   * Returns contests of one use and level, of which those do not recommend whose executions others
   * mostly disturbed, unless there is no other.
   */
  public static List<Contest> voting(List<Contest> contests) {
    return contests.stream().noneMatch(each -> each.compares() && !each.study().disturbed())
        ? contests
        : contests.stream()
            .map(each -> each.compares() && each.study().disturbed() ? each.disturbed() : each)
            .toList();
  }

  /** Returns whether it recommends, and two engines or more can be compared. */
  public boolean compares() {
    return role == Role.RECOMMENDS && tested().size() > 1;
  }

  /** Returns whether it separates engines well enough for any to be among the best. */
  public boolean decides() {
    return compares() && !best().isEmpty();
  }

  /** Returns the best engine, if there is no other leader. */
  public Optional<Standing> winner() {
    return compares() && front.leaders().size() == 1
        ? best().stream().findFirst()
        : Optional.empty();
  }

  /** Returns 1 if the first engine is separated as better, -1 if as worse, otherwise 0. */
  public int order(String engine, String second) {
    return Front.order(ranking, engine, second);
  }

  /** Returns the standing with the best value. */
  public Standing first() {
    return ranking.standings().get(0);
  }

  /** Returns the distance of a standing from the first: the ratio, 1 or more if it is worse. */
  public Ratio behind(Standing standing) {
    return Front.behind(ranking, standing);
  }

  /** Returns for example {@code 3.4x (1.8–6.5x)}; empty for the best. */
  public String distance(Standing standing) {
    if (role == Role.SHOWS || standing.equals(first())) {
      return "";
    }
    String interval = RankingText.interval(behind(standing));
    String value = Quantities.ratio(behind(standing).value());
    return value + (interval.isEmpty() || interval.equals(value) ? "" : " (" + interval + ")");
  }

  /** Returns whether no engine is separated from a standing as worse. */
  public boolean canBeLast(Standing standing) {
    return standing.ranks().worst() == ranking.standings().size();
  }

  /** Returns whether the value of a standing is not better than another's. */
  public boolean worse(Standing standing, Standing other) {
    double value = standing.estimate().value();
    return ranking.metric().direction().compare(value, other.estimate().value()) >= 0;
  }

  public String value(Standing standing) {
    return RankingText.value(ranking.metric(), standing);
  }

  /** Returns the engines with a value, the best first, or by their names if it is only shown. */
  public List<Standing> rows() {
    return role != Role.SHOWS
        ? ranking.standings()
        : ranking.standings().stream().sorted(Comparator.comparing(Standing::engine)).toList();
  }

  /** Returns the possible ranks; {@link #LAST} after failures, {@code -} if values are shown. */
  public String rank(Standing standing) {
    return failure(standing.engine()).isPresent()
        ? LAST
        : role == Role.SHOWS ? "-" : RankingText.rank(standing);
  }

  /** Returns whether the disk's flushes contradict a level that promises some. */
  public boolean unproven(String engine) {
    return group.promisesFlushes() && index().doubted(group, engine);
  }

  /** Returns the address of the runs of an engine, from a page in a folder. */
  public String runs(String engine) {
    return study.runs(group, engine);
  }
}
