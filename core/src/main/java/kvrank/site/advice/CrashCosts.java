package kvrank.site.advice;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What an engine to reach for lost in crashes at that level or a stricter one, which its speed does
 * not show. A level that promises nothing allows it; a reader should know it anyway.
 *
 * @param here the results at that level with a loss
 * @param stricter those at stricter levels
 */
public record CrashCosts(List<CrashResult> here, List<CrashResult> stricter) {

  static CrashCosts of(
      Collection<CrashResult> crashes, Collection<CrashResult> stricter, String engine) {
    return new CrashCosts(of(crashes, engine), of(stricter, engine));
  }

  private static List<CrashResult> of(Collection<CrashResult> crashes, String engine) {
    return crashes.stream().filter(each -> each.engine().equals(engine) && each.costs()).toList();
  }

  private List<CrashResult> all() {
    return Stream.concat(here.stream(), stricter.stream()).toList();
  }

  public boolean none() {
    return here.isEmpty() && stricter.isEmpty();
  }

  /** Adds for example {@code in 3 crashes it lost 12 of 1,894 acknowledged writes (…)}. */
  public Claim addTo(Claim claim) {
    return CrashResult.addAll(claim, all());
  }

  /**
   * Returns for example {@code (lost data when killed and in power cuts even at fsync=on)}, with a
   * space before; empty if nothing.
   */
  public String note() {
    if (none()) {
      return "";
    }
    List<String> when = new ArrayList<>();
    when(false).ifPresent(each -> when.add("when killed" + each));
    when(true).ifPresent(each -> when.add("in power cuts" + each));
    return " (%s %s)"
        .formatted(
            all().stream().anyMatch(CrashResult::lost) ? "lost data" : "did not answer",
            String.join(" and ", when));
  }

  /** Returns the strictest level with such a loss, as text; empty text if it is this one. */
  private Optional<String> when(boolean powerCut) {
    return stricter.stream()
        .filter(each -> each.losses().powerCut() == powerCut)
        .map(each -> each.losses().level())
        .min(Need.STRONGEST_FIRST)
        .map(level -> " even at " + Promise.at(level))
        .or(
            () ->
                here.stream()
                    .filter(each -> each.losses().powerCut() == powerCut)
                    .findFirst()
                    .map(any -> ""));
  }
}
