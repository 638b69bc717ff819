package kvrank.worker.client;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.ClientGroup;
import kvrank.workload.ClientSettings;
import kvrank.workload.RequestPlan;
import kvrank.workload.pace.ArrivalSchedule;
import kvrank.workload.pace.Pacing;
import kvrank.workload.request.Limits;
import kvrank.workload.request.Requests;
import kvrank.workload.trace.Replay;
import kvrank.workload.trace.TraceParts;

/**
 * The requests of the clients of one phase, and when they are due.
 *
 * @param plan of requests that do not come from a trace
 * @param trace the requests of a trace, or of its load, by client
 */
public record PhaseRequests(WorkerPhase phase, RequestPlan plan, Optional<TraceParts> trace)
    implements Closeable {

  /**
   * Returns the requests of {@code phase}.
   *
   * @param folder for the parts of a trace
   */
  public static PhaseRequests of(WorkerSpec spec, WorkerPhase phase, Path folder)
      throws IOException {
    ClientSettings settings = phase.settings();
    RequestPlan plan =
        new RequestPlan(
            spec.seed(),
            phase.name(),
            phase.mix(),
            spec.dataset().records(),
            settings.clients(),
            settings.batch());
    Optional<Replay> replay = spec.dataset().trace();
    boolean load = phase.kind() == WorkerPhase.Kind.LOAD;
    if (replay.isEmpty() || !(load || phase.kind() == WorkerPhase.Kind.TRACE)) {
      return new PhaseRequests(phase, plan, Optional.empty());
    }
    Limits limits = settings.limits();
    long most = limits.counted() && !load ? limits.operations() : Long.MAX_VALUE;
    TraceParts parts = TraceParts.of(replay.get(), load, settings.clients(), most, folder);
    if (phase.mix().fill()) {
      parts.fill();
    }
    return new PhaseRequests(phase, plan, Optional.of(parts));
  }

  public Requests of(int client) {
    if (trace.isPresent()) {
      return trace.get().requests(client, plan.batch());
    }
    return phase.kind() == WorkerPhase.Kind.LOAD ? plan.load(client) : planOf(client).mix(client);
  }

  /** Returns the plan of the group of {@code client}. */
  private RequestPlan planOf(int client) {
    ClientGroup group = phase.groupOf(client);
    int number = group.threads() * phase.settings().connections();
    return plan.of(group.mix(), phase.firstClient(group), number);
  }

  /** Returns when the requests of {@code client} are due, null in a closed loop. */
  ArrivalSchedule schedule(int client) {
    ClientSettings settings = phase.settings();
    Pacing pacing = phase.groupOf(client).pacing();
    if (!pacing.open()) {
      return null;
    }
    return phase.kind() == WorkerPhase.Kind.TRACE
        ? trace.orElseThrow().schedule(client)
        : planOf(client).arrivalSchedule(pacing, settings.batch() * settings.pipeline(), client);
  }

  @Override
  public void close() throws IOException {
    if (trace.isPresent()) {
      trace.get().close();
    }
  }
}
