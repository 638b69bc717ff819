package kvrank.results;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import kvrank.workload.request.Operation;

/** Operations over time: {@code timeline.csv}. */
public record Timeline(List<Interval> intervals) {

  /** The columns of release 0.2.0. */
  private static final String FIRST =
      "phase,second,elapsed_ms,warmup,operation,ok,not_found,errors";

  static final String HEADING = FIRST + ",p99_nanos";

  /** A shorter interval is merged with the previous one: its rate means nothing. */
  private static final long SHORTEST_MILLIS = 250;

  /**
   * The counts of one operation in one interval, which ends at {@code elapsedMillis}.
   *
   * @param p99Nanos the 99th percentile of its latency, of several machines the largest; 0 if it is
   *     unknown
   */
  public record Interval(
      String phase,
      long second,
      long elapsedMillis,
      boolean warmup,
      String operation,
      long ok,
      long notFound,
      long errors,
      long p99Nanos) {

    /** Returns the sum with {@code other}, which may be null, in an interval with this end. */
    private Interval and(Interval other, long end) {
      return new Interval(
          phase,
          second,
          end,
          warmup,
          operation,
          ok + (other == null ? 0 : other.ok),
          notFound + (other == null ? 0 : other.notFound),
          errors + (other == null ? 0 : other.errors),
          Math.max(p99Nanos, other == null ? 0 : other.p99Nanos));
    }

    private String line() {
      return "%s,%d,%d,%b,%s,%d,%d,%d,%s\n"
          .formatted(
              phase,
              second,
              elapsedMillis,
              warmup,
              operation,
              ok,
              notFound,
              errors,
              p99Nanos == 0 ? "" : p99Nanos);
    }

    Interval in(String name) {
      return new Interval(
          name, second, elapsedMillis, warmup, operation, ok, notFound, errors, p99Nanos);
    }
  }

  /** OK records per second of all operations between two times since the end of the warm-up. */
  public record Rate(long fromMillis, long toMillis, double perSecond) {}

  /** Reads {@code file}, which may be missing; throws if it is broken or truncated. */
  public static Timeline read(Path file) throws UnreadableException {
    if (!Files.exists(file, NOFOLLOW_LINKS)) {
      return new Timeline(List.of());
    }
    List<String> lines = Json.lines(file);
    if (lines.isEmpty() || !List.of(HEADING, FIRST).contains(lines.get(0))) {
      throw new UnreadableException(file + ": does not begin with '" + HEADING + "'");
    }
    int columns = lines.get(0).split(",", -1).length;
    List<Interval> intervals = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      try {
        intervals.add(interval(lines.get(i).split(",", -1), columns));
      } catch (IllegalArgumentException e) {
        throw Json.brokenLine(file, i + 1, lines.get(i));
      }
    }
    return new Timeline(intervals);
  }

  private static Interval interval(String[] cells, int columns) {
    if (cells.length != columns) {
      throw new IllegalArgumentException("not %d cells".formatted(columns));
    }
    String p99 = columns > 8 ? cells[8] : "";
    return new Interval(
        cells[0],
        Plausibility.whole(cells[1]),
        Plausibility.whole(cells[2]),
        Boolean.parseBoolean(cells[3]),
        cells[4],
        Plausibility.whole(cells[5]),
        Plausibility.whole(cells[6]),
        Plausibility.whole(cells[7]),
        p99.isEmpty() ? 0 : Plausibility.whole(p99));
  }

  /** Returns the sum of the counts of machines that started {@code phase} together. */
  static Timeline sum(List<Timeline> machines, String phase) {
    // Each machine writes once a second, and at the end of the warm-up.
    List<List<Interval>> looks = new ArrayList<>();
    for (Timeline machine : machines) {
      int look = 0;
      for (List<Interval> ofMachine : machine.looks(phase).values()) {
        if (look == looks.size()) {
          looks.add(new ArrayList<>());
        }
        looks.get(look++).addAll(ofMachine);
      }
    }
    List<Interval> sums = new ArrayList<>();
    for (List<Interval> look : looks) {
      long end = look.stream().mapToLong(Interval::elapsedMillis).max().orElseThrow();
      SortedMap<String, Interval> kinds = new TreeMap<>();
      for (Interval interval : look) {
        Interval sum = kinds.get(interval.warmup() + interval.operation());
        kinds.put(interval.warmup() + interval.operation(), interval.and(sum, end));
      }
      sums.addAll(kinds.values());
    }
    return new Timeline(sums);
  }

  String text() {
    return intervals.stream().map(Interval::line).collect(Collectors.joining());
  }

  /** The 99th percentile of an operation in the interval that ends then, after the warm-up. */
  public record Tail(long toMillis, String operation, long p99Nanos) {}

  /** Returns the 99th percentiles of {@code phase} over time, with the warm-up, which ends at 0. */
  public List<Tail> tails(String phase) {
    long warmup = warmupMillis(phase);
    return intervals.stream()
        .filter(interval -> interval.phase().equals(phase) && interval.p99Nanos() > 0)
        .map(i -> new Tail(i.elapsedMillis() - warmup, i.operation(), i.p99Nanos()))
        .toList();
  }

  /** Returns the throughput of {@code phase} over time, with the warm-up, which ends at 0. */
  public List<Rate> rates(String phase) {
    SortedMap<Long, List<Interval>> looks = looks(phase);
    Set<String> operations =
        looks.values().stream()
            .flatMap(List::stream)
            .map(Interval::operation)
            .collect(Collectors.toSet());
    looks.replaceAll(
        (end, look) ->
            look.stream()
                .filter(each -> !Operation.withinTransaction(each.operation(), operations))
                .toList());
    long warmup = warmupMillis(phase);
    List<Rate> rates = new ArrayList<>(rates(-warmup, warmup, looks.headMap(warmup + 1)));
    rates.addAll(rates(0, warmup, looks.tailMap(warmup + 1)));
    return List.copyOf(rates);
  }

  /** Returns the rates of {@code looks} from {@code start} on, at times after {@code origin}. */
  private static List<Rate> rates(long start, long origin, SortedMap<Long, List<Interval>> looks) {
    List<Rate> rates = new ArrayList<>();
    long from = start;
    long to = start;
    long ok = 0;
    for (Map.Entry<Long, List<Interval>> look : looks.entrySet()) {
      if (to - from >= SHORTEST_MILLIS) {
        rates.add(rate(from, to, (double) ok));
        from = to;
        ok = 0;
      }
      to = look.getKey() - origin;
      ok += look.getValue().stream().mapToLong(Interval::ok).sum();
    }
    if (to - from >= SHORTEST_MILLIS || (rates.isEmpty() && to > from)) {
      rates.add(rate(from, to, (double) ok));
    } else if (!rates.isEmpty() && to > from) {
      Rate last = rates.remove(rates.size() - 1);
      double records = last.perSecond() * (last.toMillis() - last.fromMillis()) / 1e3;
      rates.add(rate(last.fromMillis(), to, records + ok));
    }
    return rates;
  }

  private static Rate rate(long from, long to, double ok) {
    return new Rate(from, to, ok * 1e3 / (to - from));
  }

  /** Returns the length of the warm-up of {@code phase}; 0 without one. */
  public long warmupMillis(String phase) {
    // Operations of warm-up and measurement overlap, so an interval belongs to the majority.
    long end = 0;
    for (Map.Entry<Long, List<Interval>> look : looks(phase).entrySet()) {
      List<Interval> lookIntervals = look.getValue();
      long balance =
          lookIntervals.stream()
              .mapToLong(interval -> interval.warmup() ? interval.ok() : -interval.ok())
              .sum();
      if (lookIntervals.stream().noneMatch(Interval::warmup) || balance < 0) {
        break;
      }
      end = look.getKey();
    }
    return end;
  }

  /** Returns the intervals of a phase by their end. */
  private SortedMap<Long, List<Interval>> looks(String phase) {
    return intervals.stream()
        .filter(interval -> interval.phase().equals(phase))
        .collect(Collectors.groupingBy(Interval::elapsedMillis, TreeMap::new, Collectors.toList()));
  }
}
