package kvrank.site.advice;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import kvrank.results.RunRecord;
import kvrank.stats.Group;

/** The sentences about the crashes and power cuts of one engine. */
public record EngineCrashes(String engine, List<Study> studies) {

  /** Returns all of them. */
  public List<Claim> all() {
    List<Claim> claims = new ArrayList<>();
    for (Study study : studies) {
      for (List<Group> point : study.index().phaseGroupsByPoint()) {
        CrashResult.of(study, point.get(0), engine)
            .forEach(each -> claims.add(each.addTo(Claim.of("In ")).text(".")));
        point.stream()
            .filter(group -> study.index().runs(group, engine).stream().anyMatch(RunRecord::shown))
            .filter(group -> study.index().notCut(group, engine))
            .findFirst()
            .ifPresent(group -> claims.add(spared(study, group)));
      }
    }
    return claims;
  }

  private List<CrashResult> of(Study study) {
    return study.index().phaseGroupsByPoint().stream()
        .flatMap(point -> CrashResult.of(study, point.get(0), engine).stream())
        .toList();
  }

  private Claim spared(Study study, Group group) {
    return Claim.of("Its power was ")
        .link("not cut", study.runs(group, engine))
        .text(
            ", although the scenario cuts it (%s, %s%s)."
                .formatted(study.machine().label(), study.scenario(), group.pointSuffix()));
  }

  /** Returns the losses that its levels allow. */
  public Optional<Claim> allowed() {
    List<CrashResult> allowed =
        studies.stream()
            .flatMap(study -> of(study).stream())
            .filter(each -> each.costs() && !each.unsafe())
            .toList();
    return allowed.isEmpty()
        ? Optional.empty()
        : Optional.of(
            CrashResult.addAll(Claim.of("Losses that its level allows: "), allowed).text("."));
  }
}
