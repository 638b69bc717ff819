package kvrank.worker.client;

import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import kvrank.failure.Cause;
import kvrank.worker.protocol.WorkerException;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.HostedWorkload;
import site.ycsb.Workload;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;

/**
 * A workload of YCSB in one phase: one instance for all threads, as YCSB's own client has it. What
 * it draws is up to it; kvrank's seed does not reach it.
 */
public final class YcsbWorkloadHost {

  private final WorkerPhase phase;
  private final Workload workload;
  private final Properties properties;

  private YcsbWorkloadHost(WorkerPhase phase, Workload workload, Properties properties) {
    this.phase = phase;
    this.workload = workload;
    this.properties = properties;
  }

  /**
   * The hosted workload of {@code phase}, initialised; empty if its workload is kvrank's own.
   *
   * @throws WorkerException if it cannot be made
   */
  public static Optional<YcsbWorkloadHost> of(WorkerSpec spec, WorkerPhase phase)
      throws WorkerException {
    if (phase.hosted().isEmpty()) {
      return Optional.empty();
    }
    HostedWorkload hosted = phase.hosted().get();
    Properties properties = properties(spec, phase, hosted);
    // Workloads ask for the measurements as they are made, and are given none without properties.
    Measurements.setProperties(properties);
    try {
      Workload workload =
          Class.forName(hosted.className())
              .asSubclass(Workload.class)
              .getConstructor()
              .newInstance();
      workload.init(properties);
      return Optional.of(new YcsbWorkloadHost(phase, workload, properties));
    } catch (ClassNotFoundException e) {
      throw failure(phase, "workload class " + hosted.className() + " is not on the class path", e);
    } catch (ClassCastException e) {
      String what = "class " + hosted.className() + " does not extend " + Workload.class.getName();
      throw failure(phase, what, e);
    } catch (NoSuchMethodException | IllegalAccessException | InstantiationException e) {
      String what = hosted.className() + " has no public constructor without parameters";
      throw failure(phase, what, e);
    } catch (ReflectiveOperationException e) {
      throw failure(phase, hosted.className() + ": " + WorkerException.summary(e.getCause()), e);
    } catch (WorkloadException | RuntimeException | LinkageError e) {
      throw failure(phase, hosted.className() + ": " + WorkerException.summary(e), e);
    }
  }

  private static WorkerException failure(WorkerPhase phase, String message, Throwable cause) {
    return WorkerException.unlessRefused(Cause.INPUT, phase.name(), message, cause);
  }

  /** The workload's own, and over them what the scenario says of counts and threads. */
  private static Properties properties(WorkerSpec spec, WorkerPhase phase, HostedWorkload hosted) {
    Properties properties = new Properties();
    // Some distributions need the number of operations, which a phase that lasts does not have.
    properties.setProperty("operationcount", count(spec.dataset().records()));
    properties.putAll(hosted.properties());
    properties.setProperty("recordcount", count(spec.dataset().records()));
    properties.setProperty("threadcount", Integer.toString(phase.settings().threads()));
    if (phase.settings().limits().operations() > 0) {
      properties.setProperty("operationcount", count(phase.settings().limits().operations()));
    }
    return properties;
  }

  /** YCSB's counts are of 32 bits in places. */
  private static String count(long number) {
    return String.format(Locale.ROOT, "%d", Math.min(Integer.MAX_VALUE, number));
  }

  /** What the workload keeps for {@code thread}, which may be null. */
  Object threadState(int thread) throws WorkerException {
    try {
      return workload.initThread(properties, thread, phase.settings().threads());
    } catch (WorkloadException | RuntimeException e) {
      throw failure(phase, name() + ": " + WorkerException.summary(e), e);
    }
  }

  Workload workload() {
    return workload;
  }

  String name() {
    return workload.getClass().getName();
  }

  /**
   * Ends the workload.
   *
   * @throws WorkerException if it says that it failed
   */
  public void close() throws WorkerException {
    try {
      workload.cleanup();
    } catch (WorkloadException | RuntimeException e) {
      throw failure(phase, name() + ": " + WorkerException.summary(e), e);
    }
  }
}
