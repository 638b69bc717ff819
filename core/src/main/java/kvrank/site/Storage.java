package kvrank.site;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import kvrank.report.ranking.Labels;
import kvrank.report.section.MeasurementSetup;
import kvrank.site.advice.Claim;
import kvrank.site.advice.Study;

/** What the files of engines were on, as the systems report it. */
final class Storage {

  private static final String UNKNOWN = "medium unknown";

  private Storage() {}

  /**
   * Returns for example {@code Storage: ext4 on vda (medium unknown) of xeon-2cpu; tmpfs (medium
   * memory) of epyc-2cpu.}
   */
  static Claim of(Collection<Study> studies) {
    Map<String, TreeSet<String>> machines = new TreeMap<>();
    for (Study study : studies) {
      String storage = new MeasurementSetup(study.index()).storage().strip();
      machines
          .computeIfAbsent(storage.isEmpty() ? UNKNOWN : storage, any -> new TreeSet<>())
          .add(study.machine().label());
    }
    return Claim.of(
        machines.entrySet().stream()
            .map(each -> each.getKey() + " of " + Labels.joined(List.copyOf(each.getValue())))
            .collect(Collectors.joining("; ", "Storage: ", ".")));
  }
}
