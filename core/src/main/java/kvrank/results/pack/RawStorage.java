package kvrank.results.pack;

import static kvrank.results.ResourceSeries.CLIENT;
import static kvrank.results.ResourceSeries.DATA;
import static kvrank.results.ResourceSeries.DEVICE;
import static kvrank.results.ResourceSeries.SERVER;
import static kvrank.results.pack.RawSamples.FILE;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import kvrank.fact.Fact;
import kvrank.results.Durability;
import kvrank.results.PhaseRecord;
import kvrank.results.ResourceSeries.Column;
import kvrank.results.ResourceSeries.Sample;
import kvrank.results.Resources;
import kvrank.results.RunRecord;

/** Compares the device, the data folder and the work after a phase with their samples. */
record RawStorage(RawSamples samples) {

  /** The figures that older files cannot show. */
  private static final String STORAGE = "storage";

  private static final double PAGE_BYTES = 4096;

  private static final double LATE_NANOS = 5e7;

  /** The time from the last sample of a file to the last reading. */
  private static final double SAMPLE_MILLIS = 300;

  /** Compares a phase with a stretch of time. */
  void compare(PhaseRecord phase, String stretch, Contradictions found) {
    RawSamples.Span device = samples.span(DEVICE, stretch);
    phase
        .resources()
        .flatMap(Resources::device)
        .ifPresent(
            traffic -> {
              String place = stretch + ": device.";
              double read = traffic.readBytes();
              double written = traffic.writtenBytes();
              device.growth(place + "readBytes", read, Column.READ_BYTES, true, PAGE_BYTES, found);
              device.growth(
                  place + "writtenBytes", written, Column.WRITTEN_BYTES, true, PAGE_BYTES, found);
            });
    phase.durability().ifPresent(durability -> flushes(stretch, device, durability, found));
    phase
        .resources()
        .map(Resources::footprintBytes)
        .ifPresent(bytes -> bytes.ifPresent(size -> footprint(phase, stretch, size, found)));
    if (phase.points().isEmpty()) {
      boolean server = phase.resources().flatMap(Resources::server).isPresent();
      settled(phase, server ? SERVER : CLIENT, found);
    }
  }

  /** Flushes are read before the samples, at the start and at the end. */
  private static void flushes(
      String stretch, RawSamples.Span device, Durability durability, Contradictions found) {
    if (durability.flushes().isEmpty()) {
      return;
    }
    double flushes = durability.flushes().getAsLong();
    OptionalDouble last = device.last(Column.FLUSHES);
    if (last.isEmpty()) {
      found.add(
          "%s: durability.flushes is stated, but %s does not have it".formatted(stretch, FILE));
      return;
    }
    double first = device.during().get(0).figure(Column.FLUSHES).orElse(0);
    double most = last.getAsDouble() - RawSamples.Span.or(device.before(), Column.FLUSHES, first);
    double slack = device.beforeFirst(Column.FLUSHES);
    found.atMost(stretch + ": durability.flushes", flushes, most, slack, FILE);
    durability
        .flushesPerWrite()
        .ifPresent(
            each ->
                found.atMost(
                    stretch + ": durability.flushesPerWrite",
                    each,
                    flushes / durability.writes(),
                    0,
                    "flushes per write"));
  }

  private void footprint(PhaseRecord phase, String stretch, long bytes, Contradictions found) {
    List<Sample> sizes = samples.of(DATA);
    if (sizes.isEmpty()) {
      found.leaveOut(STORAGE);
      return;
    }
    RawSamples.Span own = RawSamples.Span.of(sizes, each -> each.phase().equals(stretch));
    found.same(
        stretch + ": footprintBytes", bytes, own.last(Column.FOOTPRINT_BYTES).orElse(0), FILE);
    double peak = phase.facts().number(Fact.FOOTPRINT_PEAK_BYTES);
    if (!Double.isNaN(peak) && own.last().isPresent()) {
      // A size may be written just before or after the stretch that it counts in, and that of the
      // end after one that the sampler read meanwhile.
      long from = own.during().get(0).elapsedMillis();
      long to = own.last().orElseThrow().elapsedMillis();
      RawSamples.Span whole =
          RawSamples.Span.of(
              sizes, each -> from <= each.elapsedMillis() && each.elapsedMillis() <= to);
      double beside =
          Math.max(
              RawSamples.Span.or(whole.before(), Column.FOOTPRINT_BYTES, 0),
              RawSamples.Span.or(whole.after(), Column.FOOTPRINT_BYTES, 0));
      double most = Math.max(whole.peak(Column.FOOTPRINT_BYTES), beside);
      found.between(stretch + ": footprint.peakBytes", peak, bytes, most, 0, FILE);
    }
  }

  /** Bounds the work until an engine was idle by the next sample of another phase. */
  private void settled(PhaseRecord phase, String process, Contradictions found) {
    List<Sample> own = samples.of(process);
    samples
        .span(process, phase.name())
        .last()
        .ifPresent(
            end -> {
              Optional<Sample> next =
                  own.stream()
                      .filter(each -> each.elapsedMillis() >= end.elapsedMillis())
                      .filter(each -> !each.phase().isEmpty())
                      .filter(each -> !each.phase().equals(phase.name()))
                      .findFirst();
              Sample last = next.orElse(own.get(own.size() - 1));
              RawSamples.Span after =
                  RawSamples.Span.of(
                      own,
                      each ->
                          end.elapsedMillis() <= each.elapsedMillis()
                              && each.elapsedMillis() <= last.elapsedMillis());
              double late = next.isPresent() ? 0 : SAMPLE_MILLIS;
              bound(phase, Fact.SETTLE_WRITTEN_BYTES, Column.WRITTEN_BYTES, after, late, found);
              bound(phase, Fact.SETTLE_READ_BYTES, Column.READ_BYTES, after, late, found);
              double nanos = phase.facts().number(Fact.SETTLE_NANOS);
              double most = (last.elapsedMillis() - end.elapsedMillis() + late) * 1e6;
              if (!Double.isNaN(nanos)) {
                found.atMost(phase.name() + ": settle.nanos", nanos, most, LATE_NANOS, FILE);
              }
            });
  }

  private static void bound(
      PhaseRecord phase,
      Fact fact,
      Column column,
      RawSamples.Span after,
      double late,
      Contradictions found) {
    double stated = phase.facts().number(fact);
    if (!Double.isNaN(stated)) {
      double most = after.last(column).orElse(0) - after.during().get(0).figure(column).orElse(0);
      double slack = PAGE_BYTES + after.in(late, column);
      found.atMost(phase.name() + ": " + fact.label(), stated, Math.max(0, most), slack, FILE);
    }
  }

  /** Compares the size of the data after the engine was closed. */
  void compare(RunRecord run, Contradictions found) {
    List<Sample> sizes = samples.of(DATA);
    double closed = run.facts().number(Fact.FOOTPRINT_CLOSED_BYTES);
    if (!Double.isNaN(closed)
        && !sizes.isEmpty()
        && sizes.stream().noneMatch(each -> each.phase().isEmpty() && size(each) == closed)) {
      found.add("footprint.closedBytes is %,.0f, but %s does not have it".formatted(closed, FILE));
    }
  }

  private static double size(Sample sample) {
    return sample.figure(Column.FOOTPRINT_BYTES).orElse(Double.NaN);
  }
}
