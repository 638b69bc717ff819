package kvrank.report.file;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import kvrank.metric.Unit;
import kvrank.results.CounterSeries;
import kvrank.results.Evidence;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.ResourceSeries;
import kvrank.results.RunRecord;
import kvrank.results.Timeline;
import kvrank.results.UnreadableException;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;

/**
 * What happened over time in single runs, as the page's script draws it: one strip below the other,
 * so that a reader can see what an engine did when it stalled.
 */
final class RunSeries {

  /** With more phases of runs than this, only the median repetition is included. */
  private static final int MANY = 150;

  /** With more than this, even of these, none is. */
  private static final int TOO_MANY = 400;

  /** The number of points of all strips together, as far as {@link #FEWEST} allows. */
  private static final int POINTS = 40_000;

  /** The usual number of strips. */
  private static final int STRIPS = 6;

  private static final int FEWEST = 14;
  private static final int MOST = 120;

  /** The largest value of a strip is written as this. */
  private static final int SCALE = 1000;

  private final RankingIndex index;
  private final Map<Strip, Integer> strips = new LinkedHashMap<>();
  private final List<Fields> series = new ArrayList<>();
  private final List<String> unreadable = new ArrayList<>();

  /** A kind of strip. */
  private record Strip(String title, Unit unit) {}

  /** A value between two times in milliseconds after the end of the warm-up. */
  private record Span(long from, long to, double value) {}

  /** One phase of a run, in the comparison group of that number. */
  private record Place(int group, RunRecord run, PhaseRecord phase) {}

  private RunSeries(RankingIndex index) {
    this.index = index;
  }

  /** Reads the series of {@code groups}, which they refer to by number. */
  static RunSeries of(RankingIndex index, Evidence evidence, List<Group> groups) {
    RunSeries read = new RunSeries(index);
    List<Place> places = read.places(groups, false);
    places = places.size() > MANY ? read.places(groups, true) : places;
    if (places.size() <= TOO_MANY) {
      read.read(places, evidence);
    }
    return read;
  }

  /** Reads the files of each run once. */
  private void read(List<Place> places, Evidence evidence) {
    int most = Math.max(FEWEST, Math.min(MOST, POINTS / STRIPS / Math.max(1, places.size())));
    IdentityHashMap<RunRecord, List<Integer>> ofRuns = new IdentityHashMap<>();
    List<RunRecord> runs = new ArrayList<>();
    for (int i = 0; i < places.size(); i++) {
      RunRecord run = places.get(i).run();
      if (!ofRuns.containsKey(run)) {
        runs.add(run);
      }
      ofRuns.computeIfAbsent(run, any -> new ArrayList<>()).add(i);
    }
    SortedMap<Integer, Fields> inOrder = new TreeMap<>();
    for (RunRecord run : runs) {
      try {
        Timeline timeline = evidence.timeline(run);
        ResourceSeries resources = evidence.resources(run);
        CounterSeries counters = evidence.counters(run);
        for (int i : ofRuns.get(run)) {
          fields(places.get(i), timeline, resources, counters, most)
              .ifPresent(fields -> inOrder.put(i, fields));
        }
      } catch (UnreadableException e) {
        unreadable.add(e.getMessage());
      }
    }
    series.addAll(inOrder.values());
  }

  /** Returns one phase of a run each, with its strips. */
  List<Fields> series() {
    return series;
  }

  /** Returns the kinds of strips, which {@link #series} refer to by number. */
  List<Fields> strips() {
    return strips.keySet().stream()
        .map(each -> new Fields().add("title", each.title()).add("unit", each.unit().name()))
        .toList();
  }

  /** Returns a message for each damaged file. */
  List<String> unreadable() {
    return unreadable;
  }

  private List<Place> places(List<Group> groups, boolean median) {
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      int group = i;
      for (String engine : index.engines()) {
        List<Place> repetitions = new ArrayList<>();
        for (RunRecord run : index.runs(groups.get(i), engine)) {
          run.phases().stream()
              .filter(phase -> phase.name().equals(groups.get(group).phase()))
              .filter(phase -> phase.outcome() instanceof Outcome.Completed)
              .map(phase -> new Place(group, run, phase))
              .forEach(repetitions::add);
        }
        repetitions.sort(
            Comparator.comparing((Place place) -> place.run().repetition())
                .thenComparing(place -> place.phase().throughput()));
        if (median && !repetitions.isEmpty()) {
          repetitions.sort(Comparator.comparingDouble(place -> place.phase().throughput()));
          repetitions = List.of(repetitions.get(repetitions.size() / 2));
        }
        places.addAll(repetitions);
      }
    }
    return places;
  }

  /** Returns the strips of one phase of a run; empty if nothing was recorded over time. */
  private Optional<Fields> fields(
      Place place, Timeline timeline, ResourceSeries resources, CounterSeries counters, int most) {
    String phase = place.phase().name();
    List<List<Object>> drawn = new ArrayList<>();
    List<Span> throughput =
        timeline.rates(phase).stream()
            .map(rate -> new Span(rate.fromMillis(), rate.toMillis(), rate.perSecond()))
            .toList();
    add(drawn, new Strip("throughput", Unit.PER_SECOND), throughput, most, 1000, false);
    Map<String, List<Span>> tails = new TreeMap<>();
    for (Timeline.Tail tail : timeline.tails(phase)) {
      tails
          .computeIfAbsent(tail.operation(), any -> new ArrayList<>())
          .add(new Span(tail.toMillis() - 1000, tail.toMillis(), (double) tail.p99Nanos()));
    }
    tails.forEach(
        (operation, spans) ->
            add(drawn, new Strip(operation + " p99", Unit.NANOSECONDS), spans, most, 1000, true));
    List<ResourceSeries.Sample> server = resources.of(phase, ResourceSeries.SERVER);
    List<ResourceSeries.Sample> process =
        server.isEmpty() ? resources.of(phase, ResourceSeries.CLIENT) : server;
    List<ResourceSeries.Sample> device = resources.of(phase, ResourceSeries.DEVICE);
    String whose = server.isEmpty() ? " of client and engine" : " of the server";
    rates(
        drawn,
        new Strip("busy cores" + whose, Unit.CORES),
        process,
        ResourceSeries.Sample::cpuSeconds,
        most);
    List<Span> memory =
        process.stream()
            .flatMap(
                each ->
                    each.residentBytes().stream()
                        .mapToObj(
                            bytes -> new Span(each.elapsedMillis(), each.elapsedMillis(), bytes)))
            .toList();
    add(drawn, new Strip("memory" + whose, Unit.BYTES), memory, most, 250, true);
    rates(
        drawn,
        new Strip("written to the device, per second", Unit.BYTES),
        device,
        ResourceSeries.Sample::writtenBytes,
        most);
    rates(
        drawn,
        new Strip("flushes of the device", Unit.PER_SECOND),
        device,
        ResourceSeries.Sample::flushes,
        most);
    long warmup = timeline.warmupMillis(phase);
    Map<String, List<CounterSeries.Sample>> figures = new TreeMap<>();
    counters.samples().stream()
        .filter(sample -> sample.phase().equals(phase))
        .forEach(
            sample ->
                figures.computeIfAbsent(sample.counter(), any -> new ArrayList<>()).add(sample));
    figures.forEach((name, samples) -> figure(drawn, name, samples, warmup, most));
    return drawn.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Fields()
                .add("group", place.group())
                .add("engine", index.engines().indexOf(place.run().engine()))
                .add("repetition", place.run().repetition())
                .add("strips", drawn));
  }

  /** Adds a figure of the engine: its value, or the growth per second of a count. */
  private void figure(
      List<List<Object>> drawn,
      String name,
      List<CounterSeries.Sample> samples,
      long warmup,
      int most) {
    boolean total = samples.get(0).total();
    List<Span> spans = new ArrayList<>();
    for (int i = 1; i < samples.size(); i++) {
      CounterSeries.Sample from = samples.get(i - 1);
      CounterSeries.Sample to = samples.get(i);
      long millis = Math.max(1, to.elapsedMillis() - from.elapsedMillis());
      double value = total ? (to.value() - from.value()) * 1e3 / millis : to.value();
      spans.add(new Span(from.elapsedMillis() - warmup, to.elapsedMillis() - warmup, value));
    }
    boolean bytes = name.contains("bytes");
    Unit unit = bytes ? Unit.BYTES : total ? Unit.PER_SECOND : Unit.COUNT;
    String title = bytes && total ? name + ", per second" : name;
    add(drawn, new Strip(title, unit), spans, most, 1000, true);
  }

  /** Adds the growth of a counter per second. */
  private void rates(
      List<List<Object>> drawn,
      Strip strip,
      List<ResourceSeries.Sample> samples,
      Function<ResourceSeries.Sample, OptionalDouble> counter,
      int most) {
    List<Span> spans = new ArrayList<>();
    for (int i = 1; i < samples.size(); i++) {
      ResourceSeries.Sample from = samples.get(i - 1);
      ResourceSeries.Sample to = samples.get(i);
      OptionalDouble before = counter.apply(from);
      OptionalDouble after = counter.apply(to);
      long millis = to.elapsedMillis() - from.elapsedMillis();
      if (before.isPresent() && after.isPresent() && millis >= 50) {
        double growth = after.getAsDouble() - before.getAsDouble();
        spans.add(new Span(from.elapsedMillis(), to.elapsedMillis(), growth * 1e3 / millis));
      }
    }
    add(drawn, strip, spans, most, 250, false);
  }

  /**
   * Adds a strip: its number, the start and the length of its intervals in milliseconds, the
   * largest value, and the values in thousandths of it, null for an interval without one. A value
   * is the mean of its interval, or for {@code peaks} the largest.
   */
  private void add(
      List<List<Object>> drawn,
      Strip strip,
      List<Span> spans,
      int most,
      int finest,
      boolean peaks) {
    long start = spans.stream().mapToLong(Span::from).min().orElse(0);
    long end = spans.stream().mapToLong(Span::to).max().orElse(0);
    double largest = spans.stream().mapToDouble(Span::value).max().orElse(0);
    if (spans.size() < 2 || !(largest > 0)) {
      return;
    }
    long step = Math.max(finest, (end - start + most - 1) / most);
    TreeMap<Long, DoubleSummaryStatistics> values = new TreeMap<>();
    for (Span span : spans) {
      values
          .computeIfAbsent(
              Math.floorDiv((span.from() + span.to()) / 2, step),
              any -> new DoubleSummaryStatistics())
          .accept(span.value());
    }
    List<Object> line =
        new ArrayList<>(
            List.of(
                strips.computeIfAbsent(strip, any -> strips.size()),
                values.firstKey() * step,
                step,
                PageData.rounded(largest, 3)));
    for (long i = values.firstKey(); i <= values.lastKey(); i++) {
      DoubleSummaryStatistics found = values.get(i);
      line.add(
          found == null
              ? null
              : (Object)
                  Math.round((peaks ? found.getMax() : found.getAverage()) / largest * SCALE));
    }
    drawn.add(line);
  }
}
