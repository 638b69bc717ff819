package kvrank.site.advice;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** All advice: that for each use, level of durability and kind of engine. */
public record Advice(List<Choice> choices) {

  public static Advice of(List<Need> needs) {
    return new Advice(needs.stream().flatMap(need -> need.choices().stream()).toList());
  }

  /** Returns the choices at a level that recommend an engine. */
  public List<Choice> reach(String level, String engine) {
    return at(level, choice -> choice.reach(engine).isPresent());
  }

  /** Returns the choices at a level that advise against an engine. */
  public List<Choice> avoid(String level, String engine) {
    return at(level, choice -> choice.avoids(engine));
  }

  private List<Choice> at(String level, Predicate<Choice> which) {
    return choices.stream().filter(each -> each.level().equals(level)).filter(which).toList();
  }

  /** Adds for example {@code reads, deletes and scans}, with links to their pages. */
  public static Claim addUses(Claim claim, List<Choice> choices) {
    return claim.joined(
        choices,
        (all, each) ->
            all.link(
                each.use().title().toLowerCase(Locale.ROOT),
                "../" + Links.use(each.use(), each.level())));
  }
}
