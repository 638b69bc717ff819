package kvrank.workload;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import kvrank.workload.key.KeyShape;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.Replay;
import kvrank.workload.value.Ttl;
import kvrank.workload.value.ValueShape;

/**
 * An operation mix over records, or a YCSB workload; independent of engine, port, threads and
 * duration.
 *
 * @param name of its file without the ending
 * @param description one sentence
 * @param mix the operations, none for a hosted workload; those of a trace count only as a set
 * @param keyShape if the workload sets it
 * @param valueShape if the workload sets it
 * @param ttl if the workload sets it
 * @param hosted replaces the mix
 * @param trace the replayed trace, if any
 * @param notes lines on the workload's origin, for the plan
 */
public record Workload(
    String name,
    String description,
    OperationMix mix,
    Optional<KeyShape> keyShape,
    Optional<ValueShape> valueShape,
    Optional<Ttl> ttl,
    Optional<HostedWorkload> hosted,
    Optional<Replay> trace,
    List<String> notes) {

  public Workload {
    notes = List.copyOf(notes);
  }

  /** A workload that is not a trace, without notes. */
  public Workload(
      String name,
      String description,
      OperationMix mix,
      Optional<KeyShape> keyShape,
      Optional<ValueShape> valueShape,
      Optional<Ttl> ttl,
      Optional<HostedWorkload> hosted) {
    this(name, description, mix, keyShape, valueShape, ttl, hosted, Optional.empty(), List.of());
  }

  public static Workload hosted(String name, String description, HostedWorkload hosted) {
    return new Workload(
        name,
        description,
        OperationMix.NONE,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(hosted));
  }

  public Workload withNotes(List<String> newNotes) {
    return new Workload(name, description, mix, keyShape, valueShape, ttl, hosted, trace, newNotes);
  }

  /** Returns whether some writes have a time to live. */
  public boolean expires() {
    return ttl.isPresent() || trace.filter(Replay::expires).isPresent();
  }

  public Set<Operation> operations() {
    return mix.operations();
  }
}
