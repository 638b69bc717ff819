package kvrank.workload;

import java.util.Optional;
import java.util.Set;
import kvrank.workload.key.KeyShape;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.Replay;
import kvrank.workload.value.Ttl;
import kvrank.workload.value.ValueShape;

/**
 * An operation mix over records, or a workload that somebody else wrote for YCSB. It names no
 * engine, port, thread count or duration.
 *
 * @param name the name of its file without the ending
 * @param description one sentence for a reader
 * @param mix the operations, at least one; none for a hosted workload
 * @param keyShape what keys look like, if the workload asks for something in particular
 * @param valueShape what values look like, if the workload asks for something in particular
 * @param ttl which of its writes have a time to live, if it says so
 * @param hosted the workload of YCSB that this is; what else is said here does not apply to it
 * @param trace the trace that this is; of the mix the operations count, to know which there are
 */
public record Workload(
    String name,
    String description,
    OperationMix mix,
    Optional<KeyShape> keyShape,
    Optional<ValueShape> valueShape,
    Optional<Ttl> ttl,
    Optional<HostedWorkload> hosted,
    Optional<Replay> trace) {

  /** A workload that is no trace. */
  public Workload(
      String name,
      String description,
      OperationMix mix,
      Optional<KeyShape> keyShape,
      Optional<ValueShape> valueShape,
      Optional<Ttl> ttl,
      Optional<HostedWorkload> hosted) {
    this(name, description, mix, keyShape, valueShape, ttl, hosted, Optional.empty());
  }

  /** Returns a workload of YCSB. */
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

  /** Returns whether some of its writes have a time to live. */
  public boolean expires() {
    return ttl.isPresent() || trace.filter(Replay::expires).isPresent();
  }

  /** Returns the operations of the mix. */
  public Set<Operation> operations() {
    return mix.operations();
  }
}
