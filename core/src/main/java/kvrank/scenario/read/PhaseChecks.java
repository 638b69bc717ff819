package kvrank.scenario.read;

import java.util.List;
import java.util.Optional;
import kvrank.input.Located;
import kvrank.scenario.GroupSpec;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Setting;
import kvrank.workload.Workload;
import kvrank.workload.pace.ArrivalProcess;
import kvrank.workload.pace.Pacing;
import kvrank.workload.request.Limits;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.Replay;

/** Reports settings of phases that are valid each but impossible together. */
record PhaseChecks(List<Located<PhaseSpec>> phases, StatedSettings settings) {

  /** Checks everything; with {@code crash}, a crash test follows the phases. */
  void check(boolean crash) {
    checkArrivals();
    checkMachines(crash);
    for (Located<PhaseSpec> phase : phases) {
      checkRequests(phase);
      checkThreads(phase);
      checkCold(phase);
      checkSteady(phase);
      checkErrors(phase);
      checkGroups(phase);
    }
  }

  /** Groups of different speeds do not end together after a number of operations. */
  private void checkGroups(Located<PhaseSpec> phase) {
    if (!phase.value().groups().isEmpty()
        && !settings.of(phase, Setting.OPERATIONS).equals(List.of(""))) {
      phase.report("phase '%s' has groups, which need a 'duration'", phase.value().name());
    }
  }

  private void checkRequests(Located<PhaseSpec> phase) {
    long batch = settings.most(phase, Setting.BATCH);
    long pipeline = settings.most(phase, Setting.PIPELINE);
    long connections = settings.most(phase, Setting.CONNECTIONS);
    Workload workload = phase.value().workload();
    String name = phase.value().name();
    if (transactions(phase) && Math.max(batch, Math.max(pipeline, connections)) > 1) {
      Setting setting =
          batch > 1 ? Setting.BATCH : pipeline > 1 ? Setting.PIPELINE : Setting.CONNECTIONS;
      settings
          .place(phase, setting)
          .report(
              "phase '%s' has a transaction, whose requests are sent one after the other; set '%s' to 1",
              name, setting.label());
    } else if (workload.hosted().isPresent() && Math.max(batch, pipeline) > 1) {
      settings
          .place(phase, Setting.BATCH, Setting.PIPELINE)
          .report(
              "phase '%s' is a YCSB workload, which sends single requests; batch '%d' and pipeline"
                  + " '%d' must be 1",
              name, batch, pipeline);
    } else if (connections > 1 && !multiplexed(workload, batch)) {
      settings
          .place(phase, Setting.CONNECTIONS, Setting.BATCH)
          .report(
              "phase '%s' has connections '%d', which support only single reads, inserts, updates"
                  + " and deletes, not scans, batches or YCSB workloads; use threads instead",
              name, connections);
    } else if (workload.trace().isPresent() && batch > 1) {
      settings
          .place(phase, Setting.BATCH, Setting.BATCH)
          .report("phase '%s' is a trace, which has single requests; batch must be 1", name);
    } else if (workload.trace().filter(Replay::paced).isPresent() && pipeline > 1) {
      settings
          .place(phase, Setting.PIPELINE, Setting.PIPELINE)
          .report(
              "phase '%s' follows the clock of a trace, in which each request has its own time;"
                  + " set pipeline to 1, or 'clock: none'",
              name);
    } else if (batch > 1 && pipeline > 1) {
      settings
          .place(phase, Setting.BATCH, Setting.PIPELINE)
          .report(
              "phase '%s' has batch '%d' and pipeline '%d'; one of them must be 1",
              name, batch, pipeline);
    }
  }

  private static boolean transactions(Located<PhaseSpec> phase) {
    return phase.value().workloads().stream().anyMatch(one -> !one.mix().transaction().isEmpty());
  }

  private static boolean multiplexed(Workload workload, long batch) {
    return batch == 1
        && workload.hosted().isEmpty()
        && workload.operations().stream().allMatch(Operation::pipelined);
  }

  private void checkArrivals() {
    String random = ArrivalProcess.POISSON.label();
    boolean any =
        phases.stream().anyMatch(phase -> settings.of(phase, Setting.ARRIVALS).contains(random));
    boolean rated =
        phases.stream()
            .anyMatch(
                phase ->
                    phase.value().sweep().isPresent()
                        || phase.value().groups().stream()
                            .anyMatch(group -> !group.rate().equals(Pacing.UNLIMITED))
                        || !settings.of(phase, Setting.RATE).equals(List.of(Pacing.UNLIMITED)));
    if (any && !rated) {
      phases.stream()
          .filter(phase -> random.equals(phase.value().settings().get(Setting.ARRIVALS)))
          .findFirst()
          .map(Located::place)
          .orElseGet(() -> settings.place(Setting.ARRIVALS))
          .report("'" + random + "' has no effect without a rate; set 'rate'");
    }
  }

  /** Every machine needs a thread in every phase, and workloads that can be divided. */
  private void checkMachines(boolean crash) {
    long machines = StatedSettings.numbers(settings.values(Setting.MACHINES)).max().orElse(1);
    if (machines == 1) {
      return;
    }
    if (crash) {
      settings.place(Setting.MACHINES).report("a crash test uses '1' machine, not '%d'", machines);
    }
    for (Located<PhaseSpec> phase : phases) {
      String name = phase.value().name();
      long threads =
          StatedSettings.numbers(settings.of(phase, Setting.THREADS)).min().orElseThrow();
      if (phase.value().workload().hosted().isPresent()) {
        phase.report("phase '%s' is a YCSB workload, which runs on '1' machine", name);
      } else if (phase.value().workload().trace().isPresent()) {
        phase.report("phase '%s' is a trace, which runs on '1' machine", name);
      } else if (!phase.value().groups().isEmpty()) {
        phase.report("phase '%s' has groups, which run on '1' machine", name);
      } else if (threads < machines) {
        settings
            .place(phase, Setting.THREADS, Setting.MACHINES)
            .report(
                "phase '%s' has '%d' threads for '%d' machines; each machine needs one",
                name, threads, machines);
      }
    }
  }

  /** A warm-up would fill the page cache that was dropped. */
  private void checkCold(Located<PhaseSpec> phase) {
    if (phase.value().load() || !settings.of(phase, Setting.COLD).contains("true")) {
      return;
    }
    for (String warmup : settings.of(phase, Setting.WARMUP)) {
      if (!Limits.of(warmup, "", "").warmup().isZero()) {
        settings
            .place(phase, Setting.COLD)
            .report(
                "phase '%s' is cold, but its warm-up of '%s' would fill the cache; set 'warmup:"
                    + " 0s'",
                phase.value().name(), warmup);
        return;
      }
    }
  }

  /** Returns whether a rate decides the whole throughput of {@code phase}. */
  private boolean rated(Located<PhaseSpec> phase) {
    List<GroupSpec> groups = phase.value().groups();
    return groups.isEmpty()
        ? !settings.of(phase, Setting.RATE).equals(List.of(Pacing.UNLIMITED))
        : groups.stream().noneMatch(group -> group.rate().equals(Pacing.UNLIMITED));
  }

  /** Throughput says nothing about the store if a rate or a recording decides it. */
  private void checkSteady(Located<PhaseSpec> phase) {
    boolean steady =
        settings.of(phase, Setting.WARMUP).stream()
            .anyMatch(text -> Limits.of(text, "", "").untilSteady());
    Workload workload = phase.value().workload();
    if (phase.value().load() || !steady) {
      return;
    }
    Optional<String> why =
        workload.trace().isPresent()
            ? Optional.of("a trace")
            : phase.value().sweep().isPresent()
                ? Optional.of("a 'curve' or a 'search'")
                : workload.mix().drain()
                    ? Optional.of("a workload that drains the store")
                    : rated(phase)
                        ? Optional.of("a 'rate', which decides the throughput")
                        : Optional.empty();
    why.ifPresent(
        text ->
            settings
                .place(phase, Setting.WARMUP)
                .report(
                    "phase '%s' warms up until it is steady, which does not apply to %s; state a time",
                    phase.value().name(), text));
  }

  /** A failed request is repeated while its phase lasts, and before another one is sent. */
  private void checkErrors(Located<PhaseSpec> phase) {
    if (phase.value().load() || !settings.of(phase, Setting.ERRORS).contains("allowed")) {
      return;
    }
    Workload workload = phase.value().workload();
    boolean single =
        settings.most(phase, Setting.PIPELINE) == 1
            && settings.most(phase, Setting.CONNECTIONS) == 1;
    Optional<String> problem =
        workload.hosted().isPresent() || workload.trace().isPresent()
            ? Optional.of("a YCSB workload or a trace")
            : phase.value().sweep().isPresent()
                ? Optional.of("a 'curve' or a 'search'")
                : !settings.of(phase, Setting.OPERATIONS).equals(List.of(""))
                    ? Optional.of("'operations'; set 'duration'")
                    : transactions(phase)
                        ? Optional.of("a transaction")
                        : single
                            ? Optional.empty()
                            : Optional.of("'pipeline' or 'connections' over 1; use threads");
    problem.ifPresent(
        why ->
            settings
                .place(phase, Setting.ERRORS)
                .report(
                    "phase '%s' allows errors, which is impossible with %s",
                    phase.value().name(), why));
  }

  private void checkThreads(Located<PhaseSpec> phase) {
    long connections = settings.most(phase, Setting.CONNECTIONS);
    long each = settings.most(phase, Setting.THREADS);
    long inGroups =
        phase.value().groups().stream().mapToLong(g -> g.threads().orElse((int) each)).sum();
    long threads = (phase.value().groups().isEmpty() ? each : inGroups) * connections;
    long records = StatedSettings.numbers(settings.values(Setting.RECORDS)).min().orElseThrow();
    if (threads > records) {
      settings
          .place(phase, Setting.THREADS, Setting.CONNECTIONS)
          .report(
              "'%d' %s are more than '%d' records",
              threads, connections == 1 ? "threads" : "connections of all threads", records);
    } else if (threads * deletes(phase) > records) {
      phase.report(
          "the transactions of phase '%s' delete '%d' records at a time, more than all '%d'; use fewer"
              + " threads or deletes",
          phase.value().name(), threads * deletes(phase), records);
    }
  }

  /**
   * Returns the largest number of deletes in a transaction, which end before records are restored.
   */
  private static long deletes(Located<PhaseSpec> phase) {
    return phase.value().workloads().stream()
        .filter(workload -> !workload.mix().transaction().isEmpty())
        .mapToLong(workload -> workload.mix().weights().getOrDefault(Operation.DELETE, 0))
        .max()
        .orElse(0);
  }
}
