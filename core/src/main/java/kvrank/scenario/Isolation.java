package kvrank.scenario;

/** Whether client and server have CPUs of their own. */
public sealed interface Isolation {

  /** Half of the cores each, if there are enough. */
  record Automatic() implements Isolation {}

  /** All share all cores. */
  record None() implements Isolation {}

  /** The CPUs that the scenario states; an embedded engine has both sets. */
  record Sets(CpuList client, CpuList server) implements Isolation {}
}
