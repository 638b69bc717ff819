package kvrank.site.advice;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import kvrank.report.block.Quantities;
import kvrank.stats.Standing;

/** Whether machines put the engines of the same contests in the same order. */
public final class Agreement {

  /** The most contradictions that are named. */
  private static final int MOST = 5;

  /** Two engines that two machines separate, in opposite directions or in the same. */
  private record Pair(Contest one, Contest other, String engine, String second, boolean opposite) {}

  private final Set<Machine> machines = new LinkedHashSet<>();
  private final List<Pair> pairs = new ArrayList<>();

  /** Whether a scenario has contests on two machines. */
  private final boolean repeated;

  /** Those with a pair that another separates, too. */
  private final Set<Machine> sharing = new LinkedHashSet<>();

  /** Two machines each. */
  private final Set<List<Machine>> contradictions = new HashSet<>();

  public Agreement(Collection<Contest> contests) {
    List<Contest> compared = contests.stream().filter(Contest::compares).toList();
    compared.forEach(contest -> machines.add(contest.study().machine()));
    Map<String, Set<Machine>> scenarios =
        contests.stream()
            .map(Contest::study)
            .collect(groupingBy(Study::scenario, mapping(Study::machine, toSet())));
    repeated = scenarios.values().stream().anyMatch(each -> each.size() > 1);
    Map<List<Object>, Queue<Contest>> left =
        compared.stream().collect(groupingBy(Agreement::key, toCollection(ArrayDeque::new)));
    for (Contest one : compared) {
      Queue<Contest> alike = left.get(key(one));
      alike.remove(); // which is this one
      for (Contest other : alike) {
        if (!one.study().machine().equals(other.study().machine())) {
          compare(one, other);
        }
      }
    }
  }

  /** Returns the parts that are equal in contests whose orders are compared. */
  private static List<Object> key(Contest contest) {
    return List.of(contest.name(), contest.use(), contest.level(), contest.metric());
  }

  private void compare(Contest one, Contest other) {
    List<String> shared = one.tested().stream().map(Standing::engine).toList();
    for (int i = 0; i < shared.size(); i++) {
      for (String second : shared.subList(i + 1, shared.size())) {
        String engine = shared.get(i);
        int here = one.order(engine, second);
        int there = other.order(engine, second);
        if (here * there != 0) {
          pairs.add(
              here > 0
                  ? new Pair(one, other, engine, second, here != there)
                  : new Pair(one, other, second, engine, here != there));
          List<Machine> both = List.of(one.study().machine(), other.study().machine());
          sharing.addAll(both);
          if (here != there) {
            contradictions.add(both);
          }
        }
      }
    }
  }

  /** Returns the size of the largest part of {@code among} in which no two contradict. */
  private int agreeing(Collection<Machine> among) {
    for (Machine machine : among) {
      List<Machine> alike = among.stream().filter(other -> !contradict(machine, other)).toList();
      if (alike.size() < among.size()) {
        List<Machine> others = among.stream().filter(other -> !other.equals(machine)).toList();
        return Math.max(agreeing(alike), agreeing(others));
      }
    }
    return among.size();
  }

  private boolean contradict(Machine machine, Machine other) {
    return contradictions.contains(List.of(machine, other))
        || contradictions.contains(List.of(other, machine));
  }

  private static boolean between(Pair pair, Machine machine, Machine other) {
    Machine one = pair.one().study().machine();
    Machine two = pair.other().study().machine();
    return (machine.equals(one) && other.equals(two)) || (machine.equals(two) && other.equals(one));
  }

  /**
   * Returns for example {@code Same order on 3 of 4 machines, and for 44 of 45 pairs of engines.};
   * empty for one machine.
   */
  public List<Claim> claims() {
    if (machines.size() < 2) {
      return List.of();
    }
    if (sharing.isEmpty()) {
      return List.of(
          Claim.of(
              repeated
                  ? "No two machines separate the same pair of engines."
                  : "No scenario of this use has values from two machines at this level."));
    }
    List<Claim> claims = new ArrayList<>();
    int most = agreeing(sharing);
    claims.add(
        Claim.of(
                most == 1
                    ? "No two machines have the same order: it is the same"
                    : "Same order on %d of %d machines, and".formatted(most, sharing.size()))
            .text(
                " for %d of %s of engines."
                    .formatted(
                        pairs.stream().filter(pair -> !pair.opposite()).count(),
                        Quantities.counted(pairs.size(), "pair"))));
    pairs.stream().filter(Pair::opposite).limit(MOST).forEach(pair -> claims.add(claim(pair)));
    return claims;
  }

  private static Claim claim(Pair pair) {
    return new Claim()
        .engine(pair.engine())
        .text(" is ahead of ")
        .engine(pair.second())
        .text(" on %s (".formatted(pair.one().study().machine().label()))
        .link(ratio(pair.one(), pair), pair.one().runs(pair.engine()))
        .text(") and behind it on %s (".formatted(pair.other().study().machine().label()))
        .link(ratio(pair.other(), pair), pair.other().runs(pair.engine()))
        .text("): %s, %s.".formatted(pair.one().name(), pair.one().metric()));
  }

  private static String ratio(Contest contest, Pair pair) {
    return Quantities.ratio(
        contest.ranking().verdict(pair.engine(), pair.second()).ratio().value());
  }

  /**
   * Returns the share of pairs that each other machine has in the same order; empty if no pair is
   * shared.
   */
  public List<Claim> with(Machine machine) {
    List<Claim> claims = new ArrayList<>();
    for (Machine other : machines) {
      List<Pair> shared =
          other.equals(machine)
              ? List.of()
              : pairs.stream().filter(pair -> between(pair, machine, other)).toList();
      if (!shared.isEmpty()) {
        claims.add(
            Claim.of(
                    "Of %d pairs of engines that are separated here and on "
                        .formatted(shared.size()))
                .link(other.label(), "../" + Links.machine(other))
                .text(
                    ", %d are in the same order."
                        .formatted(shared.stream().filter(pair -> !pair.opposite()).count())));
      }
    }
    return claims;
  }
}
