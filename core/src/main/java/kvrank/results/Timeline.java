package kvrank.results;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Operations over time: {@code timeline.csv}. */
public record Timeline(List<Interval> intervals) {

  static final String HEADING = "phase,second,elapsed_ms,warmup,operation,ok,not_found,errors";

  /** A shorter interval is merged with the previous one: its rate means nothing. */
  private static final long SHORTEST_MILLIS = 250;

  /** The counts of one operation in one interval, which ends at {@code elapsedMillis}. */
  public record Interval(
      String phase,
      long second,
      long elapsedMillis,
      boolean warmup,
      String operation,
      long ok,
      long notFound,
      long errors) {

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
          errors + (other == null ? 0 : other.errors));
    }

    private String line() {
      return "%s,%d,%d,%b,%s,%d,%d,%d\n"
          .formatted(phase, second, elapsedMillis, warmup, operation, ok, notFound, errors);
    }

    Interval in(String name) {
      return new Interval(name, second, elapsedMillis, warmup, operation, ok, notFound, errors);
    }
  }

  /** OK records per second of all operations between two times since the end of the warm-up. */
  public record Rate(long fromMillis, long toMillis, double perSecond) {}

  /** Reads {@code file}, which may be missing; throws if it is broken or truncated. */
  public static Timeline read(Path file) throws UnreadableException {
    if (!Files.exists(file)) {
      return new Timeline(List.of());
    }
    List<String> lines = Json.text(file).lines().toList();
    if (lines.isEmpty() || !lines.get(0).equals(HEADING)) {
      throw new UnreadableException(file + ": does not begin with '" + HEADING + "'");
    }
    List<Interval> intervals = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      try {
        intervals.add(interval(lines.get(i)));
      } catch (IllegalArgumentException e) {
        throw new UnreadableException(
            "%s:%d: broken or truncated: '%s'".formatted(file, i + 1, lines.get(i)));
      }
    }
    return new Timeline(intervals);
  }

  private static Interval interval(String line) {
    String[] cells = line.split(",", -1);
    if (cells.length != 8) {
      throw new IllegalArgumentException("not 8 cells");
    }
    return new Interval(
        cells[0],
        Long.parseLong(cells[1]),
        Long.parseLong(cells[2]),
        Boolean.parseBoolean(cells[3]),
        cells[4],
        Long.parseLong(cells[5]),
        Long.parseLong(cells[6]),
        Long.parseLong(cells[7]));
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

  /** Returns the throughput of {@code phase} over time, with the warm-up, which ends at 0. */
  public List<Rate> rates(String phase) {
    SortedMap<Long, List<Interval>> looks = looks(phase);
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
