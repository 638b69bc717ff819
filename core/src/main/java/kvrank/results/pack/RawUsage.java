package kvrank.results.pack;

import static kvrank.results.ResourceSeries.CLIENT;
import static kvrank.results.ResourceSeries.SERVER;
import static kvrank.results.pack.RawSamples.FILE;

import java.util.Optional;
import java.util.OptionalLong;
import kvrank.fact.Fact;
import kvrank.metric.Usage;
import kvrank.results.PhaseRecord;
import kvrank.results.ResourceSeries.Column;
import kvrank.results.ResourceSeries.Sample;
import kvrank.results.Resources;
import kvrank.results.RunRecord;

/** Compares what processes used with their samples. */
record RawUsage(RawSamples samples) {

  /** The figures that older files cannot show. */
  private static final String ANONYMOUS = "memory without pages of files";

  private static final String FAULTS = "major page faults";

  /** How often Linux counts CPU time, twice. */
  private static final double TICKS_SECONDS = 0.02;

  private static final double PAGE_BYTES = 4096;

  /** How far the memory of a server may be from its first sample, a moment later. */
  private static final double MOMENT = 0.5;

  /** Figures of a heap and of its process are from slightly different times. */
  private static final double HEAP = 0.25;

  /** Compares a phase with a stretch of time. */
  void compare(PhaseRecord phase, String stretch, Contradictions found) {
    Optional<Resources> used = phase.resources();
    used.flatMap(Resources::server).ifPresent(usage -> process(stretch, SERVER, usage, found));
    used.flatMap(Resources::client)
        .ifPresent(
            usage -> {
              process(stretch, CLIENT, usage, found);
              heap(phase, stretch, usage, samples.span(CLIENT, stretch), found);
            });
  }

  private void process(String stretch, String process, Usage usage, Contradictions found) {
    RawSamples.Span span = samples.span(process, stretch);
    if (span.during().isEmpty()) {
      found.add("%s: %s has no sample of the %s".formatted(stretch, FILE, process));
      return;
    }
    String place = stretch + ": " + process + ".";
    seconds(span, place + "userSeconds", usage.userSeconds(), Column.USER_SECONDS, found);
    seconds(span, place + "systemSeconds", usage.systemSeconds(), Column.SYSTEM_SECONDS, found);
    bytes(span, place + "readBytes", usage.readBytes(), Column.READ_BYTES, found);
    bytes(span, place + "writtenBytes", usage.writtenBytes(), Column.WRITTEN_BYTES, found);
    bytes(span, place + "cancelledBytes", usage.cancelledBytes(), Column.CANCELLED_BYTES, found);
    if (usage.majorFaults().isPresent()) {
      if (span.last(Column.MAJOR_FAULTS).isPresent()) {
        double faults = usage.majorFaults().getAsLong();
        span.growth(place + "majorFaults", faults, Column.MAJOR_FAULTS, false, 1, found);
      } else {
        found.leaveOut(FAULTS);
      }
    }
    Memory resident = new Memory(span, Column.RESIDENT_BYTES, place + "resident", found);
    resident.mean(usage.residentMeanBytes());
    resident.peak(usage.residentPeakBytes());
    resident.end(usage.residentEndBytes());
    found.same(
        place + "childrenPeakBytes",
        usage.childrenPeakBytes(),
        span.peak(Column.CHILDREN_BYTES),
        FILE);
    if (usage.anonymousEndBytes().isEmpty()) {
      return;
    }
    if (span.last(Column.ANONYMOUS_BYTES).isPresent()) {
      Memory anonymous = new Memory(span, Column.ANONYMOUS_BYTES, place + "anonymous", found);
      usage.anonymousMeanBytes().ifPresent(anonymous::mean);
      usage.anonymousPeakBytes().ifPresent(anonymous::peak);
      anonymous.end(usage.anonymousEndBytes().getAsLong());
    } else {
      found.leaveOut(ANONYMOUS);
      found.atMost(
          place + "anonymousEndBytes",
          usage.anonymousEndBytes().getAsLong(),
          usage.residentEndBytes(),
          0,
          "resident memory");
    }
  }

  private static void seconds(
      RawSamples.Span span, String figure, double stated, Column column, Contradictions found) {
    span.growth(figure, stated, column, false, TICKS_SECONDS, found);
  }

  private static void bytes(
      RawSamples.Span span,
      String figure,
      OptionalLong stated,
      Column column,
      Contradictions found) {
    stated.ifPresent(bytes -> span.growth(figure, bytes, column, false, PAGE_BYTES, found));
  }

  /** One kind of memory in the samples of a stretch. */
  private record Memory(RawSamples.Span span, Column column, String figure, Contradictions found) {

    private void mean(long stated) {
      found.near(figure + "MeanBytes", stated, span.mean(column), 1, FILE);
    }

    private void peak(long stated) {
      found.same(figure + "PeakBytes", stated, span.peak(column), FILE);
    }

    private void end(long stated) {
      found.same(figure + "EndBytes", stated, span.last(column).orElse(0), FILE);
    }
  }

  /** The heap is read after the last sample. */
  private static void heap(
      PhaseRecord phase, String stretch, Usage client, RawSamples.Span span, Contradictions found) {
    double resident = phase.facts().number(Fact.CLIENT_HEAP_RESIDENT_BYTES);
    double most =
        Math.max(
            (double) client.residentPeakBytes(),
            RawSamples.Span.or(span.after(), Column.RESIDENT_BYTES, 0));
    if (resident > most * (1 + HEAP)) {
      found.add(
          "%s: client.heapResidentBytes is %,.0f, but the client had at most %,.0f in memory"
              .formatted(stretch, resident, most));
    }
    double live = phase.facts().number(Fact.CLIENT_HEAP_LIVE_BYTES);
    double committed = phase.facts().number(Fact.CLIENT_HEAP_COMMITTED_BYTES);
    if (live > committed * (1 + HEAP)) {
      found.add(
          "%s: client.heapLiveBytes is %,.0f, but the heap had %,.0f"
              .formatted(stretch, live, committed));
    }
  }

  /** Compares the memory of a server before its phases. */
  void compare(RunRecord run, Contradictions found) {
    Optional<Sample> first = samples.of(SERVER).stream().findFirst();
    if (first.isPresent()) {
      empty(run, Fact.MEMORY_EMPTY_BYTES, first.get(), Column.RESIDENT_BYTES, found);
      empty(run, Fact.MEMORY_EMPTY_ANONYMOUS_BYTES, first.get(), Column.ANONYMOUS_BYTES, found);
    }
  }

  private static void empty(
      RunRecord run, Fact fact, Sample first, Column column, Contradictions found) {
    double stated = run.facts().number(fact);
    if (!Double.isNaN(stated) && first.figure(column).isPresent()) {
      double raw = first.figure(column).getAsDouble();
      found.near(fact.label(), stated, raw, MOMENT * raw, FILE);
    }
  }
}
