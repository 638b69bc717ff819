package kvrank.scenario;

/** Whether client and server have CPUs of their own. */
public sealed interface Isolation {

  /** Half of the cores each, where there are enough. */
  record Automatic() implements Isolation {}

  /** All share all. */
  record None() implements Isolation {}

  /** As the scenario says; an embedded engine has both. */
  record Sets(CpuList client, CpuList server) implements Isolation {}
}
