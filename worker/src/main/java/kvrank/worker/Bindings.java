package kvrank.worker;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import kvrank.binding.BatchOperations;
import kvrank.binding.EngineFacts;
import kvrank.binding.EngineReports;
import kvrank.binding.Multiplexed;
import kvrank.binding.Pipelined;
import kvrank.binding.PrefixScan;
import kvrank.binding.PropertyException;
import kvrank.binding.ReverseScan;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.worker.protocol.WorkerException;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.workload.request.Operation;
import site.ycsb.DB;
import site.ycsb.DBException;

/** The instances of a binding, one per client, created when a phase first needs them. */
final class Bindings {

  private static final int MOST_CREATORS = 64;

  private final Class<? extends DB> type;
  private final SortedMap<String, String> properties;
  private final List<DB> instances = new ArrayList<>();

  Bindings(String className, SortedMap<String, String> properties) throws WorkerException {
    this.type = load(className);
    this.properties = properties;
  }

  private static Class<? extends DB> load(String className) throws WorkerException {
    try {
      return Class.forName(className).asSubclass(DB.class);
    } catch (ClassNotFoundException e) {
      throw wrong("binding class " + className + " is not on the worker's class path", e);
    } catch (ClassCastException e) {
      throw wrong("binding class " + className + " does not extend " + DB.class.getName(), e);
    } catch (LinkageError e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw wrong("binding class " + className + " cannot be loaded: " + cause, e);
    }
  }

  /** Returns a failure that the engine.yaml or the scenario caused. */
  private static WorkerException wrong(String message, Throwable thrown) {
    return WorkerException.unlessRefused(Cause.INPUT, "", message, thrown);
  }

  void check(WorkerPhase phase) throws WorkerException {
    String missing = "";
    if (phase.settings().pipeline() > 1 && !Pipelined.class.isAssignableFrom(type)) {
      missing = "pipelines (pipeline is " + phase.settings().pipeline() + ")";
    } else if (phase.settings().connections() > 1 && !Multiplexed.class.isAssignableFrom(type)) {
      missing =
          "several connections per thread (connections is " + phase.settings().connections() + ")";
    } else if (phase.settings().batch() > 1 && !BatchOperations.class.isAssignableFrom(type)) {
      missing = "batches (batch is " + phase.settings().batch() + ")";
    } else if (phase.operations().contains(Operation.PREFIX_SCAN)
        && !PrefixScan.class.isAssignableFrom(type)) {
      missing = "prefix scans";
    } else if (phase.clientGroups().stream().anyMatch(group -> group.mix().reverse())
        && !ReverseScan.class.isAssignableFrom(type)) {
      missing = "reverse scans";
    }
    if (!missing.isEmpty()) {
      throw new WorkerException(
          Cause.INPUT, phase.name(), type.getName() + " does not offer " + missing);
    }
  }

  /** Returns {@code number} initialised instances; the first opens the database for the others. */
  List<DB> atLeast(int number) throws WorkerException, InterruptedException {
    if (instances.isEmpty()) {
      instances.add(create());
    }
    create(number - instances.size());
    return List.copyOf(instances.subList(0, number));
  }

  /**
   * Creates instances in threads that live at the same time, as YCSB does. Each has its own part of
   * the heap, of Java and of malloc, so two instances do not write to the same cache line.
   */
  private void create(int number) throws WorkerException, InterruptedException {
    if (number <= 0) {
      return;
    }
    Callable<DB> one = this::create;
    ExecutorService threads = Executors.newFixedThreadPool(Math.min(number, MOST_CREATORS));
    try {
      WorkerException failure = null;
      for (Future<DB> created : threads.invokeAll(Collections.nCopies(number, one))) {
        try {
          instances.add(created.get());
        } catch (ExecutionException e) {
          failure = WorkerException.of("", e.getCause());
        }
      }
      if (failure != null) {
        throw failure;
      }
    } finally {
      threads.shutdown();
    }
  }

  /** Closes all instances, and initialises as many. */
  void reopen() throws WorkerException, InterruptedException {
    int number = instances.size();
    close();
    atLeast(number);
  }

  private DB create() throws WorkerException {
    try {
      DB binding = type.getConstructor().newInstance();
      Properties settings = new Properties();
      settings.putAll(properties);
      binding.setProperties(settings);
      binding.init();
      return binding;
    } catch (InstantiationException e) {
      throw wrong("binding class " + type.getName() + " is abstract", e);
    } catch (NoSuchMethodException | IllegalAccessException e) {
      String none = " has no public constructor without parameters, or is not public itself";
      throw wrong("binding class " + type.getName() + none, e);
    } catch (ReflectiveOperationException e) {
      String message = type.getName() + ": " + WorkerException.summary(e.getCause());
      throw WorkerException.ofEngine("", message, e);
    } catch (PropertyException e) {
      throw wrong(reason(e) + "; properties are in binding.properties of its engine.yaml", e);
    } catch (DBException | RuntimeException | LinkageError e) {
      throw WorkerException.ofEngine("", reason(e), e);
    }
  }

  private static String reason(Throwable thrown) {
    boolean plain = thrown instanceof DBException && thrown.getMessage() != null;
    return plain ? thrown.getMessage() : WorkerException.summary(thrown);
  }

  Facts facts() {
    Facts facts = new Facts();
    if (!instances.isEmpty() && instances.get(0) instanceof EngineFacts engine) {
      engine.facts().forEach(facts::putReported);
    }
    return facts;
  }

  Facts reports() {
    Facts facts = new Facts();
    if (!instances.isEmpty() && instances.get(0) instanceof EngineReports engine) {
      engine.reports().forEach(facts::putReported);
    }
    return facts;
  }

  /** Closes every instance, even if closing one fails. */
  void close() throws WorkerException {
    WorkerException failure = null;
    for (DB binding : instances) {
      try {
        binding.cleanup();
      } catch (DBException | RuntimeException | LinkageError e) {
        failure = WorkerException.ofEngine("", "the binding could not be closed: " + reason(e), e);
      }
    }
    instances.clear();
    if (failure != null) {
      throw failure;
    }
  }
}
