package kvrank.site.advice;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import kvrank.report.block.Quantities;

/** The sentences about the uses to reach for one engine, and to avoid it. */
public final class EngineAdvice {

  private final String engine;
  private final Advice advice;
  private final boolean baseline;

  public EngineAdvice(String engine, Advice advice, Collection<Study> studies) {
    this.engine = engine;
    this.advice = advice;
    this.baseline = studies.stream().anyMatch(each -> each.kind(engine) == Kind.BASELINE);
  }

  /** Returns all advice, that at the strongest level first, with what speaks for and against. */
  public List<Claim> claims() {
    if (baseline) {
      return List.of(
          Claim.of(
              "It is a data structure to compare engines with, not a product, so there is no advice about it."));
    }
    List<Claim> claims = new ArrayList<>();
    boolean recommended = false;
    TreeMap<String, String> levels = new TreeMap<>(Need.STRONGEST_FIRST);
    advice.choices().forEach(each -> levels.putIfAbsent(each.level(), each.promise()));
    for (String level : levels.keySet()) {
      List<Choice> reach = advice.reach(level, engine);
      List<Choice> avoid = advice.avoid(level, engine);
      if (!reach.isEmpty() && !avoid.isEmpty()) {
        claims.add(both(levels.get(level), reach, avoid));
      }
      reach.forEach(each -> claims.add(reach(each)));
      avoid.forEach(each -> claims.addAll(avoid(each)));
      recommended |= !reach.isEmpty();
    }
    if (!recommended) {
      claims.add(
          0,
          Claim.of("It is not recommended for any use; the comparisons below have its figures."));
    }
    return claims;
  }

  private static Claim both(String promise, List<Choice> reach, List<Choice> avoid) {
    Claim claim = Claim.of(promise.isEmpty() ? "Reach" : "At " + promise + ": reach");
    Advice.addUses(claim.text(" for it for "), reach);
    return Advice.addUses(claim.text("; avoid it for "), avoid).text(".");
  }

  private static Claim begin(String verb, Choice choice, boolean provisional) {
    return Claim.of(verb + " it when " + choice.use().when())
        .text(choice.promise().isEmpty() ? "" : " at " + choice.promise())
        .text(provisional ? Reasons.PROVISIONAL : "")
        .text(": ");
  }

  private Claim reach(Choice choice) {
    Tally tally = choice.reach(engine).orElseThrow();
    Claim claim = begin("Reach for", choice, tally.provisionallyBest());
    int others = choice.reach().size() - 1;
    String noun = "other " + choice.kind().noun();
    return new Reasons(choice)
        .reach(claim, tally)
        .text(
            others == 0
                ? "; no %s is recommended there.".formatted(noun)
                : "; %s %s recommended there, too."
                    .formatted(Quantities.counted(others, noun), others == 1 ? "is" : "are"));
  }

  private List<Claim> avoid(Choice choice) {
    List<Claim> claims = new ArrayList<>();
    List<CrashResult> crashes = choice.notDurable().getOrDefault(engine, List.of());
    if (!crashes.isEmpty()) {
      claims.add(CrashResult.addAll(begin("Avoid", choice, false), crashes).text("."));
    }
    choice.slow().stream()
        .filter(each -> each.engine().equals(engine))
        .forEach(
            each ->
                claims.add(
                    new Reasons(choice)
                        .avoid(begin("Avoid", choice, each.provisionallyLast()), each)
                        .text(".")));
    return claims;
  }

  /** Returns the other uses in which it is among the best, with its figures. */
  public List<Claim> best() {
    List<Claim> claims = new ArrayList<>();
    boolean recommended = false;
    boolean compared = false;
    for (Choice choice : advice.choices()) {
      compared |= choice.tally(engine).isPresent();
      Optional<Tally> best = choice.tally(engine).filter(each -> !each.best().isEmpty());
      recommended |= choice.reach(engine).isPresent();
      if (best.isPresent() && choice.reach(engine).isEmpty()) {
        Claim claim = Claim.of(choice.title() + ": ");
        claims.add(new Reasons(choice).best(claim, best.get()).text("."));
      }
    }
    return claims.isEmpty() && !recommended && !baseline
        ? List.of(
            Claim.of(
                compared
                    ? "It is not among the best in any comparison."
                    : "It was not compared with another engine of its kind."))
        : claims;
  }

  /** Returns the uses in which it is far behind, apart from those to avoid it for. */
  public List<Claim> behind() {
    List<Claim> claims = new ArrayList<>();
    for (Choice choice : advice.choices()) {
      choice
          .tally(engine)
          .filter(each -> !each.far().isEmpty() && !each.mostlyLast())
          .ifPresent(
              each ->
                  claims.add(
                      new Reasons(choice).behind(Claim.of(choice.title() + ": "), each).text(".")));
    }
    return claims;
  }
}
