package kvrank.scenario;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.workload.ClientGroup;
import kvrank.workload.ClientSettings;
import kvrank.workload.OperationMix;
import kvrank.workload.Workload;
import kvrank.workload.pace.Pacing;
import kvrank.workload.request.Operation;

/**
 * Threads of a phase with a workload and a rate of their own.
 *
 * @param threads their number; empty for that of the phase
 * @param rate operations per second of the group, or {@code max}
 */
public record GroupSpec(String name, Workload workload, OptionalInt threads, String rate) {

  /** How many a phase may have; a report has figures of each of their operations. */
  public static final int MOST = 16;

  /** Returns the group in a phase with these settings. */
  public ClientGroup clients(ClientSettings phase) {
    Pacing pacing = Pacing.of(rate, phase.pacing().arrivals().label());
    return new ClientGroup(name, workload.mix(), threads.orElse(phase.threads()), pacing);
  }

  /** Returns the settings of a phase with {@code groups}: the sums of their threads and rates. */
  public static ClientSettings sum(ClientSettings phase, List<ClientGroup> groups) {
    boolean all = groups.stream().allMatch(group -> group.pacing().open());
    double rate = groups.stream().mapToDouble(group -> group.pacing().rate()).sum();
    return phase
        .with(groups.stream().mapToInt(ClientGroup::threads).sum())
        .with(new Pacing(all ? rate : 0, phase.pacing().arrivals()));
  }

  /** Returns a workload with the operations of all {@code groups}, and the first of each shape. */
  static Workload together(String phase, List<GroupSpec> groups) {
    SortedMap<Operation, Integer> weights = new TreeMap<>();
    List<Workload> all = groups.stream().map(GroupSpec::workload).toList();
    all.forEach(
        one -> one.mix().weights().keySet().forEach(operation -> weights.put(operation, 1)));
    OperationMix first = all.get(0).mix();
    boolean fill = all.stream().anyMatch(one -> one.mix().fill());
    return new Workload(
        phase,
        String.join(" ", all.stream().map(Workload::description).toList()),
        new OperationMix(weights, first.keys(), first.scanRecords(), false, fill),
        all.stream().flatMap(one -> one.keyShape().stream()).findFirst(),
        all.stream().flatMap(one -> one.valueShape().stream()).findFirst(),
        all.stream().flatMap(one -> one.ttl().stream()).findFirst(),
        Optional.empty());
  }
}
