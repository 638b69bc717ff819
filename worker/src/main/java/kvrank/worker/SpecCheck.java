package kvrank.worker;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import kvrank.failure.Cause;
import kvrank.worker.protocol.WorkerException;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.ClientGroup;
import kvrank.workload.ClientSettings;
import kvrank.workload.key.KeyShape;
import kvrank.workload.request.Operation;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;

/**
 * Rejects specs that a worker cannot execute. Messages are made before they are needed, so they are
 * concatenated: the first text of a record or a format takes a new JVM milliseconds.
 */
final class SpecCheck {

  /** Names appear in tags of histogram logs and in CSV. */
  private static final Pattern NAME = Pattern.compile("[^,/\\s]+");

  private SpecCheck() {}

  static void check(WorkerSpec spec) throws WorkerException {
    KeyShape keys = spec.dataset().keys();
    ValueShape values = spec.dataset().values();
    long records = spec.dataset().records();
    require("", records >= 1, "records is " + records + ", less than 1");
    require(
        "",
        keys.perPrefix() >= 1 && records <= keys.capacity(),
        records
            + " records do not fit into "
            + keys.capacity()
            + " keys of "
            + keys.bytes()
            + " bytes");
    check(values.sizes(), values.kind().smallest());
    require(
        "",
        !spec.verify() || values.sizes().min() >= values.kind().smallestVerifiable(),
        "values under " + values.kind().smallestVerifiable() + " bytes cannot be verified");
    Set<String> names = new HashSet<>();
    for (WorkerPhase phase : spec.phases()) {
      String name = phase.name();
      require(name, NAME.matcher(name).matches(), "'" + name + "' cannot be a phase's name");
      require(name, names.add(name), "there are two phases of this name");
      check(phase);
    }
  }

  private static void check(ValueSizes sizes, int smallest) throws WorkerException {
    for (ValueSizes.Part part : sizes.parts()) {
      check(part.sizes(), smallest);
    }
    int least = sizes.fields() == 1 ? smallest : 0;
    for (ValueSizes.Bin bin : sizes.bins()) {
      require(
          "",
          bin.min() >= least && bin.min() <= bin.max() && bin.weight() > 0,
          "values have from "
              + bin.min()
              + " to "
              + bin.max()
              + " bytes with a weight of "
              + bin.weight()
              + "; the first must be at least "
              + least
              + " and at most the second, the weight greater than 0");
      least = bin.max() + 1;
    }
  }

  private static void check(WorkerPhase phase) throws WorkerException {
    String name = phase.name();
    ClientSettings settings = phase.settings();
    requireOne(name, "threads", settings.threads());
    requireOne(name, "connections", settings.connections());
    requireOne(name, "batch", settings.batch());
    requireOne(name, "pipeline", settings.pipeline());
    require(
        name,
        settings.batch() == 1 || settings.pipeline() == 1,
        "batch is "
            + settings.batch()
            + " and pipeline "
            + settings.pipeline()
            + ", one must be 1");
    require(
        name,
        settings.connections() == 1
            || (settings.batch() == 1
                && phase.operations().stream().allMatch(Operation::pipelined)),
        "several connections per thread take reads, inserts, updates and deletes one at a time, not"
            + " "
            + phase.operations()
            + " in batches of "
            + settings.batch());
    for (ClientGroup group : phase.clientGroups()) {
      double rate = group.pacing().rate();
      require(name, rate >= 0 && rate <= 1e9, "rate is " + rate + ", not in [0, 10^9]");
      requireOne(name, "threads of " + group.name(), group.threads());
      require(
          name,
          group.mix().transaction().isEmpty()
              || (settings.batch() == 1
                  && settings.pipeline() == 1
                  && settings.connections() == 1
                  && !settings.errorsAllowed()),
          "a transaction sends single requests, one after the other; batch, pipeline and"
              + " connections must be 1, and errors not allowed");
    }
    int ofGroups = phase.clientGroups().stream().mapToInt(ClientGroup::threads).sum();
    require(
        name,
        ofGroups == settings.threads(),
        "the groups have " + ofGroups + " threads, the phase has " + settings.threads());
    double exponent = phase.mix().keys().exponent();
    require(name, exponent > 0, "the exponent is " + exponent + ", not greater than 0");
    require(
        name,
        phase.hosted().isEmpty()
            || (settings.batch() == 1 && settings.pipeline() == 1 && settings.connections() == 1),
        "a workload of YCSB makes single requests; batch, pipeline and connections must be 1");
    require(
        name,
        phase.kind() != WorkerPhase.Kind.TRACE || settings.batch() == 1,
        "the requests of a trace are single; batch must be 1");
    if (phase.kind() == WorkerPhase.Kind.MIX || phase.kind() == WorkerPhase.Kind.PROOF) {
      require(
          name,
          !phase.operations().isEmpty() || phase.hosted().isPresent(),
          "there are no operations");
      require(
          name,
          phase.mix().weights().values().stream().allMatch(weight -> weight > 0),
          "a weight of " + phase.mix().weights() + " is not greater than 0");
      require(
          name,
          phase.mix().drain()
              || settings.limits().counted()
              || !settings.limits().duration().isZero(),
          "there is neither a duration nor a count");
    }
  }

  private static void requireOne(String phase, String setting, int value) throws WorkerException {
    require(phase, value >= 1, setting + " is " + value + ", less than 1");
  }

  private static void require(String phase, boolean condition, String otherwise)
      throws WorkerException {
    if (!condition) {
      throw new WorkerException(Cause.INPUT, phase, otherwise);
    }
  }
}
