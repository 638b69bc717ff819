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
 * A YCSB workload in one phase: one instance for all threads, as in YCSB's own client. It draws its
 * own random numbers, so kvrank's seed has no effect.
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
   * Returns the initialised workload of {@code phase}; empty if it is not one of YCSB.
   *
   * @throws WorkerException if it cannot be created
   */
  public static Optional<YcsbWorkloadHost> of(WorkerSpec spec, WorkerPhase phase)
      throws WorkerException {
    if (phase.hosted().isEmpty()) {
      return Optional.empty();
    }
    HostedWorkload hosted = phase.hosted().get();
    Properties properties = properties(spec, phase, hosted);
    // Workloads request the measurements in their constructor, which need properties.
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

  /** Returns the workload's properties, overridden by the scenario's counts and threads. */
  private static Properties properties(WorkerSpec spec, WorkerPhase phase, HostedWorkload hosted) {
    Properties properties = new Properties();
    // Some distributions need a number of operations, which a timed phase does not have.
    properties.setProperty("operationcount", count(spec.dataset().records()));
    properties.putAll(hosted.properties());
    properties.setProperty("recordcount", count(spec.dataset().records()));
    properties.setProperty("threadcount", Integer.toString(phase.settings().threads()));
    if (phase.settings().limits().operations() > 0) {
      properties.setProperty("operationcount", count(phase.settings().limits().operations()));
    }
    return properties;
  }

  /** Limits a number to 32 bits, as parts of YCSB need. */
  private static String count(long number) {
    return String.format(Locale.ROOT, "%d", Math.min(Integer.MAX_VALUE, number));
  }

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
   * @throws WorkerException if its cleanup failed
   */
  public void close() throws WorkerException {
    try {
      workload.cleanup();
    } catch (WorkloadException | RuntimeException e) {
      throw failure(phase, name() + ": " + WorkerException.summary(e), e);
    }
  }
}
