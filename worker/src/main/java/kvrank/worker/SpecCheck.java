package kvrank.worker;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import kvrank.workload.KeyShape;
import kvrank.workload.Operation;
import kvrank.workload.ValueShape;

/** Refuses what a worker cannot do, before anything is done. */
final class SpecCheck {

  /** Names stand in tags of histogram logs and in CSV. */
  private static final Pattern NAME = Pattern.compile("[^,/\\s]+");

  private SpecCheck() {}

  /**
   * Checks {@code spec}.
   *
   * @throws WorkerException naming the first thing that cannot be
   */
  static void check(WorkerSpec spec) throws WorkerException {
    KeyShape keys = spec.keyShape();
    ValueShape values = spec.valueShape();
    require("", spec.records() >= 1, "records is " + spec.records() + ", less than 1");
    require(
        "",
        keys.perPrefix() >= 1 && spec.records() <= keys.capacity(),
        spec.records() + " records do not fit into " + keys.capacity() + " keys of " + keys);
    require(
        "",
        values.minBytes() >= values.kind().smallest() && values.minBytes() <= values.maxBytes(),
        "values cannot be of " + values + ", the least is " + values.kind().smallest() + " bytes");
    require(
        "",
        !spec.verify() || values.minBytes() >= values.kind().smallestVerifiable(),
        "values under " + values.kind().smallestVerifiable() + " bytes cannot be verified");
    Set<String> names = new HashSet<>();
    for (WorkerPhase phase : spec.phases()) {
      String name = phase.name();
      require(name, NAME.matcher(name).matches(), "'" + name + "' cannot be a phase's name");
      require(name, names.add(name), "there are two phases of this name");
      check(phase);
    }
  }

  private static void check(WorkerPhase phase) throws WorkerException {
    String name = phase.name();
    require(name, phase.threads() >= 1, "threads is " + phase.threads() + ", less than 1");
    require(
        name, phase.connections() >= 1, "connections is " + phase.connections() + ", less than 1");
    require(name, phase.batch() >= 1, "batch is " + phase.batch() + ", less than 1");
    require(name, phase.pipeline() >= 1, "pipeline is " + phase.pipeline() + ", less than 1");
    require(
        name,
        phase.batch() == 1 || phase.pipeline() == 1,
        "batch is " + phase.batch() + " and pipeline " + phase.pipeline() + ", one must be 1");
    require(
        name,
        phase.connections() == 1
            || (phase.batch() == 1
                && phase.operations().keySet().stream().allMatch(Operation::pipelined)),
        "several connections per thread take reads, inserts, updates and deletes one at a time, not "
            + phase.operations().keySet()
            + " in batches of "
            + phase.batch());
    require(
        name,
        phase.rate() >= 0 && phase.rate() <= 1e9,
        "rate is " + phase.rate() + ", not in [0, 10^9]");
    require(
        name,
        phase.keys().exponent() > 0,
        "the exponent is " + phase.keys().exponent() + ", not greater than 0");
    require(
        name,
        phase.hosted().isEmpty()
            || (phase.batch() == 1 && phase.pipeline() == 1 && phase.connections() == 1),
        "a workload of YCSB makes single requests; batch, pipeline and connections must be 1");
    if (phase.kind() == WorkerPhase.Kind.MIX) {
      require(
          name,
          !phase.operations().isEmpty() || phase.hosted().isPresent(),
          "there are no operations");
      require(
          name,
          phase.operations().values().stream().allMatch(weight -> weight > 0),
          "a weight of " + phase.operations() + " is not greater than 0");
      require(
          name,
          phase.drain() || phase.count() > 0 || !phase.duration().isZero(),
          "there is neither a duration nor a count");
    }
  }

  private static void require(String phase, boolean condition, String otherwise)
      throws WorkerException {
    if (!condition) {
      throw new WorkerException(phase, otherwise);
    }
  }
}
