package kvrank.workload;

import kvrank.workload.pace.Pacing;
import kvrank.workload.request.Operation;

/**
 * Threads of a phase that have operations and a rate of their own.
 *
 * @param name part of the labels of its operations; empty if the phase has no groups
 * @param threads their number in this group
 */
public record ClientGroup(String name, OperationMix mix, int threads, Pacing pacing) {

  /** Returns the label of {@code operation} in results, for example {@code writers:update}. */
  public String label(Operation operation) {
    return label(name, operation);
  }

  /** Returns the same for the group with this name. */
  public static String label(String group, Operation operation) {
    return group.isEmpty() ? operation.label() : group + Operation.OF_GROUP + operation.label();
  }
}
