package kvrank.worker;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import kvrank.binding.ErrorLog;
import kvrank.binding.OpenedConnections;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.worker.check.CrashPhase;
import kvrank.worker.check.SampleCheck;
import kvrank.worker.client.OwnKeys;
import kvrank.worker.client.PhaseRequests;
import kvrank.worker.client.PhaseSetup;
import kvrank.worker.client.YcsbWorkloadHost;
import kvrank.worker.phase.PhaseLog;
import kvrank.worker.phase.PhaseRun;
import kvrank.worker.protocol.CommandReader;
import kvrank.worker.protocol.Host;
import kvrank.worker.protocol.MachineBarrier;
import kvrank.worker.protocol.PhaseResult;
import kvrank.worker.protocol.WorkerCommand;
import kvrank.worker.protocol.WorkerException;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.ValueSource;
import kvrank.workload.request.Slice;
import site.ycsb.DB;

/** Executes a {@link WorkerSpec} at the controller's commands. */
final class Worker {

  private final WorkerSpec spec;
  private final Optional<Slice> generator;
  private final Slice slice;
  private final MachineBarrier machines;
  private final CommandReader commands;
  private final Consumer<WorkerMessage> messages;

  /**
   * @param generator this machine's part of a shared load; empty if the load is not shared
   */
  Worker(
      WorkerSpec spec,
      Optional<Slice> generator,
      CommandReader commands,
      Consumer<WorkerMessage> messages) {
    this.spec = spec;
    this.generator = generator;
    this.slice = generator.orElse(Slice.WHOLE);
    this.machines =
        generator.isPresent() ? MachineBarrier.of(commands, messages) : MachineBarrier.NONE;
    this.commands = commands;
    this.messages = messages;
  }

  /** Executes commands until {@link WorkerCommand.Stop}. */
  void run() throws WorkerException, IOException, InterruptedException {
    // On a second core, while the engine opens.
    Thread classes = new Thread(PhaseRun::loadClasses, "class-loading");
    classes.setDaemon(true);
    classes.start();
    SpecCheck.check(spec);
    Bindings bindings = new Bindings(spec.binding(), spec.properties());
    for (WorkerPhase phase : spec.phases()) {
      bindings.check(phase);
    }
    bindings.atLeast(spec.phases().isEmpty() ? 1 : clients(spec.phases().get(0)));
    ValueSource values = new ValueSource(spec.dataset(), spec.seed());
    Facts facts = bindings.facts();
    classes.join();
    messages.accept(
        new WorkerMessage.Ready(generator.isPresent() ? facts.putAll(Host.facts()) : facts));
    WorkerCommand command = commands.next();
    if (command instanceof WorkerCommand.Claim) {
      new OwnKeys(spec, bindings.atLeast(1).get(0), messages).claim();
      messages.accept(new WorkerMessage.Restored());
      command = commands.next();
    }
    if (command instanceof WorkerCommand.Remove) {
      new OwnKeys(spec, bindings.atLeast(1).get(0), messages).remove();
      messages.accept(new WorkerMessage.Restored());
    } else {
      phases(command, bindings, values);
    }
    bindings.close();
  }

  private void phases(WorkerCommand first, Bindings bindings, ValueSource values)
      throws WorkerException, IOException, InterruptedException {
    Optional<PhaseRun> last = Optional.empty();
    try (PhaseLog log =
        generator.isPresent()
            ? new PhaseLog(spec.output(), messages)
            : new PhaseLog(spec.output())) {
      for (WorkerCommand command = first;
          !(command instanceof WorkerCommand.Stop);
          command = commands.next()) {
        if (command instanceof WorkerCommand.Restore) {
          restore(last);
          last = Optional.empty();
          messages.accept(new WorkerMessage.Restored());
        } else if (command instanceof WorkerCommand.Reopen) {
          bindings.reopen();
          messages.accept(new WorkerMessage.Restored());
        } else if (command instanceof WorkerCommand.Report) {
          messages.accept(new WorkerMessage.Reported(bindings.reports()));
        } else if (command instanceof WorkerCommand.Collect) {
          messages.accept(new WorkerMessage.Reported(liveHeap()));
        } else if (command instanceof WorkerCommand.Look) {
          messages.accept(new WorkerMessage.Looked(last.map(PhaseRun::look).orElseGet(Facts::new)));
        } else {
          WorkerPhase phase = phase(command);
          ErrorLog.standard().reset();
          if (phase.kind() != WorkerPhase.Kind.PROOF) {
            restore(last);
          }
          Optional<List<Long>> acknowledged =
              command instanceof WorkerCommand.Check check
                  ? Optional.of(check.acknowledged())
                  : Optional.empty();
          last = run(phase, acknowledged, bindings, values, log);
        }
      }
    }
  }

  private static Facts liveHeap() {
    System.gc();
    long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    return new Facts().put(Fact.CLIENT_HEAP_LIVE_BYTES, used);
  }

  /**
   * Runs {@code phase}; returns the run to restore before the next phase, empty after a crash test.
   */
  private Optional<PhaseRun> run(
      WorkerPhase phase,
      Optional<List<Long>> acknowledged,
      Bindings bindings,
      ValueSource values,
      PhaseLog log)
      throws WorkerException, IOException, InterruptedException {
    Optional<YcsbWorkloadHost> ycsbHost = YcsbWorkloadHost.of(spec, phase);
    List<DB> instances = bindings.atLeast(clients(phase));
    try (PhaseRequests requests = requests(phase)) {
      PhaseSetup setup = new PhaseSetup(spec, requests, slice, values, instances, ycsbHost);
      if (phase.kind().ofCrashTest()) {
        CrashPhase crash = new CrashPhase(spec, setup, acknowledged, messages);
        messages.accept(new WorkerMessage.Finished(crash.run().with(opened())));
        return Optional.empty();
      }
      PhaseRun run = new PhaseRun(setup, machines);
      PhaseResult result = run.run(log, messages);
      if (ycsbHost.isPresent()) {
        ycsbHost.get().close();
      }
      // Right before the controller takes its last sample.
      PhaseResult sampled = sampled(result, setup).with(bindings.reports());
      messages.accept(new WorkerMessage.Finished(sampled.with(opened())));
      return Optional.of(run);
    }
  }

  private static Facts opened() {
    Facts opened = new Facts();
    if (OpenedConnections.count() > 0) {
      opened.put(Fact.CONNECTIONS_OPENED, OpenedConnections.count());
    }
    return opened;
  }

  private PhaseRequests requests(WorkerPhase phase) throws WorkerException {
    try {
      return PhaseRequests.of(spec, phase, spec.output());
    } catch (IOException e) {
      throw WorkerException.of(phase.name(), e);
    }
  }

  private int clients(WorkerPhase phase) {
    return slice.size(phase.settings().threads()) * phase.settings().connections();
  }

  private void restore(Optional<PhaseRun> last) throws WorkerException, InterruptedException {
    if (last.isPresent()) {
      last.get().restore(messages);
    }
  }

  private WorkerPhase phase(WorkerCommand command) throws WorkerException {
    if (command instanceof WorkerCommand.Start start) {
      return phase(start.phase());
    }
    if (command instanceof WorkerCommand.Check check) {
      return phase(check.phase());
    }
    if (command instanceof WorkerCommand.StartAtRate step) {
      return phase(step.phase()).step(step.name(), step.rate(), step.times());
    }
    String said = command.getClass().getSimpleName();
    throw new WorkerException(
        Cause.HARNESS, "", "the controller sent '" + said + "' instead of a phase");
  }

  private WorkerPhase phase(String name) throws WorkerException {
    return spec.phases().stream()
        .filter(phase -> phase.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new WorkerException(Cause.HARNESS, "", "there is no phase '" + name + "'"));
  }

  /** Adds the result of a sample to that of a load, once all machines have loaded. */
  private PhaseResult sampled(PhaseResult result, PhaseSetup setup) {
    // The records that a hosted workload inserts are unknown.
    if (setup.phase().kind() != WorkerPhase.Kind.LOAD || setup.ycsbHost().isPresent()) {
      return result;
    }
    if (generator.isPresent()) {
      machines.await(0);
    }
    if (slice.part() > 0) {
      return result;
    }
    SampleCheck.Findings findings = new SampleCheck(setup.context(0)).check(spec.dataset());
    Facts facts = new Facts(result.facts()).put(Fact.SAMPLE, findings.sample());
    if (findings.wrong() > 0) {
      facts.put(Fact.INCORRECT_EXAMPLE, findings.finding());
    }
    return new PhaseResult(
        result.phase(),
        result.elapsedNanos(),
        result.operations(),
        result.incorrect() + findings.wrong(),
        facts);
  }
}
