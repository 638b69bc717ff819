package kvrank.results;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;

/** The data behind the records: the raw series of each run, and the resolved scenario. */
public interface Evidence {

  /** Returns the resolved scenario; empty if its file is missing. */
  String scenario() throws UnreadableException;

  /** Adds the latencies of the completed phases, in nanoseconds, by {@code phase/operation}. */
  void addLatencies(RunRecord run, Map<String, Histogram> sums) throws UnreadableException;

  /** Returns the operations of {@code run} over time; empty if there are none. */
  Timeline timeline(RunRecord run) throws UnreadableException;

  /** Returns the resources of {@code run} over time; empty if there are none. */
  ResourceSeries resources(RunRecord run) throws UnreadableException;

  /** Returns the engine's own figures over time; empty if there are none. */
  default CounterSeries counters(RunRecord run) throws UnreadableException {
    return new CounterSeries(List.of());
  }

  /** Returns the files of the executions, which are read on demand. */
  static Evidence of(ExecutionResults results) {
    return new Stored(results);
  }

  /** The evidence in results directories. */
  final class Stored implements Evidence {

    private final List<ExecutionResults> executions;

    /** By identity: executions on two machines may have the same ids. */
    private final IdentityHashMap<RunRecord, RunDirectory> directories = new IdentityHashMap<>();

    /** Current phase names by stored ones, of each run that was read. */
    private final Map<RunDirectory, Map<String, String>> renamings = new ConcurrentHashMap<>();

    private Stored(ExecutionResults results) {
      this.executions = results.executions();
      for (ExecutionResults execution : executions) {
        ResultsDirectory directory = new ResultsDirectory(execution.directory());
        execution.runs().forEach(run -> directories.put(run, directory.run(run.id())));
      }
    }

    @Override
    public String scenario() throws UnreadableException {
      StringBuilder text = new StringBuilder();
      for (ExecutionResults execution : executions) {
        Path file = new ResultsDirectory(execution.directory()).scenarioFile();
        String scenario = Files.exists(file) ? Json.text(file) : "";
        boolean several = executions.size() > 1 && !scenario.isEmpty();
        text.append(several ? "# " + execution.name() + "\n" : "").append(scenario);
      }
      return text.toString();
    }

    @Override
    public void addLatencies(RunRecord run, Map<String, Histogram> sums)
        throws UnreadableException {
      RunDirectory directory = directory(run);
      Path file = directory.latencyLog();
      UnaryOperator<String> name = name(run, directory);
      Set<String> tags = new HashSet<>();
      for (PhaseRecord phase : run.phases()) {
        if (phase.outcome() instanceof Outcome.Completed) {
          for (String operation : phase.operations().keySet()) {
            tags.add(phase.name() + "/" + operation);
          }
        }
      }
      try {
        LatencyLog.addTo(
            sums, file, tag -> tags.contains(renamed(name, tag)) ? renamed(name, tag) : "");
      } catch (IllegalArgumentException e) {
        throw new UnreadableException(file + ": broken or truncated: " + e.getMessage());
      }
    }

    private static String renamed(UnaryOperator<String> name, String tag) {
      int end = Math.max(0, tag.indexOf('/'));
      return name.apply(tag.substring(0, end)) + tag.substring(end);
    }

    @Override
    public Timeline timeline(RunRecord run) throws UnreadableException {
      RunDirectory directory = directory(run);
      UnaryOperator<String> name = name(run, directory);
      return new Timeline(
          Timeline.read(directory.timeline()).intervals().stream()
              .map(interval -> interval.in(name.apply(interval.phase())))
              .toList());
    }

    @Override
    public ResourceSeries resources(RunRecord run) throws UnreadableException {
      RunDirectory directory = directory(run);
      UnaryOperator<String> name = name(run, directory);
      return new ResourceSeries(
          ResourceSeries.read(directory.resources()).samples().stream()
              .map(sample -> sample.in(name.apply(sample.phase())))
              .toList());
    }

    @Override
    public CounterSeries counters(RunRecord run) throws UnreadableException {
      RunDirectory directory = directory(run);
      UnaryOperator<String> name = name(run, directory);
      return new CounterSeries(
          CounterSeries.read(directory.counters()).samples().stream()
              .map(sample -> sample.in(name.apply(sample.phase())))
              .toList());
    }

    private RunDirectory directory(RunRecord run) throws UnreadableException {
      RunDirectory directory = directories.get(run);
      if (directory == null) {
        throw new UnreadableException(run.id() + ": is not a run of these results");
      }
      return directory;
    }

    /** Returns the current name of a stored phase: a merge renames phases of equal names. */
    private UnaryOperator<String> name(RunRecord run, RunDirectory directory)
        throws UnreadableException {
      Map<String, String> names = renamings.get(directory);
      if (names == null) {
        names = new TreeMap<>();
        List<PhaseRecord> stored = executions.size() > 1 ? directory.read().phases() : List.of();
        for (int i = 0; i < Math.min(stored.size(), run.phases().size()); i++) {
          names.put(stored.get(i).name(), run.phases().get(i).name());
        }
        renamings.put(directory, names);
      }
      Map<String, String> known = names;
      return phase -> known.getOrDefault(phase, phase);
    }
  }
}
