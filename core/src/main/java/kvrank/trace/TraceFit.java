package kvrank.trace;

import static kvrank.capture.SizeHistogram.percentile;

import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import kvrank.capture.SizeHistogram;
import kvrank.capture.Skew;
import kvrank.scenario.read.ScenarioWriter;
import kvrank.workload.Dataset;
import kvrank.workload.OperationMix;
import kvrank.workload.RequestPlan;
import kvrank.workload.ValueSource;
import kvrank.workload.Workload;
import kvrank.workload.key.KeyShape;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.TraceHeader;
import kvrank.workload.value.Ttl;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;
import org.apache.commons.text.WordUtils;

/** Fits a workload to a trace. */
public record TraceFit(TraceDescription trace) {

  private static final int MOST_WEIGHT = 1_000_000;
  private static final int LINE = 100;

  /** Returns the workload that is closest to the trace as YAML; comments state the differences. */
  public String workload(String name) throws IOException {
    TraceHeader header = trace.header();
    TraceProfile profile = trace.profile();
    KeyChoice found = profile.skew().map(Skew::choice).orElse(KeyChoice.of(Distribution.UNIFORM));
    KeyChoice choice =
        new KeyChoice(
            found.distribution(),
            rounded(found.exponent()),
            rounded(found.hotKeys()),
            rounded(found.hotOperations()));
    SortedMap<Operation, Long> counts = new TreeMap<>(profile.operations());
    // New keys are among the records of the workload, unless its distribution depends on inserts.
    if (choice.distribution() != Distribution.LATEST && profile.made() > 0) {
      counts.merge(Operation.INSERT, -profile.made(), Long::sum);
      counts.merge(Operation.UPDATE, profile.made(), Long::sum);
    }
    long most = counts.values().stream().mapToLong(Long::longValue).max().orElse(1);
    SortedMap<Operation, Integer> weights = new TreeMap<>();
    double scale = Math.min(1, (double) MOST_WEIGHT / most);
    counts.forEach((operation, count) -> weights.put(operation, (int) Math.round(count * scale)));
    weights.values().removeIf(weight -> weight <= 0);
    OperationMix mix = new OperationMix(weights, choice, 1, false);
    int[] lengths = profile.sizes().count() == 0 ? new int[] {1} : profile.sizes().sorted();
    SizeHistogram histogram = new SizeHistogram(lengths);
    ValueSizes sizes = profile.sizes().count() == 0 ? header.sizes() : histogram.sizes();
    long records = Math.max(header.keys(), profile.skew().map(Skew::keys).orElse(0L));
    Optional<Ttl> ttl = ttl();
    Optional<Ttl> written = ttl.filter(each -> each.seconds() <= Ttl.MOST_SECONDS_OF_A_RUN);
    double gap = (double) header.micros() / header.requests();
    KeyShape keys = KeyShape.of(header.keyBytes(), 1, 10 * records);
    Workload workload =
        new Workload(
            name,
            "Fitted to a trace of %,d requests.".formatted(header.requests()),
            mix,
            Optional.of(keys),
            Optional.of(new ValueShape(ValueShape.Kind.RANDOM, sizes, 0)),
            written,
            Optional.empty());
    RequestPlan plan = new RequestPlan(TraceDescription.SEED, name, mix, records, 1, 1);
    Ttl lived = header.timed() ? written.orElse(Ttl.NONE) : Ttl.NONE;
    Dataset made = trace.dataset(sizes, lived, Optional.empty());
    TraceProfile fitted =
        TraceProfile.of(
            plan.load(0),
            plan.mix(0),
            new ValueSource(made, TraceDescription.SEED).value(),
            trace.keyBytes(),
            header.requests(),
            done -> done * gap,
            trace.caches());
    double worst = 0;
    StringBuilder curve = new StringBuilder();
    for (int i = 0; i < TraceDescription.CACHES.length; i++) {
      double asTraced = profile.caches().hitRatio(i);
      double asFitted = fitted.caches().hitRatio(i);
      worst = Math.max(worst, Math.abs(asTraced - asFitted));
      curve.append(
          " %.0f %%: %.1f and %.1f;"
              .formatted(100 * TraceDescription.CACHES[i], 100 * asTraced, 100 * asFitted));
    }
    String shown =
        fitted
            .skew()
            .map(
                skew ->
                    "; the workload's own requests show "
                        + TraceDescription.parameters(skew.choice()))
            .orElse("");
    String comments =
        """
        Fitted by 'kvrank trace fit' to %,d requests for %,d keys, from %s.
        Use it with 'records: %d': its popularity is for that number.
        Popularity: %s%s.
        Operations of the trace: %s; of the workload: %s. Keys that the trace inserts: %,d.
        Lengths of values: the distribution function is within %.4f of the trace's \
        (Kolmogorov-Smirnov); mean %.1f bytes, in the trace %.1f.
        Hit ratios of the trace and of the workload in %%, in an LRU cache that fills misses, by \
        its share of all bytes:%s at most %.1f points apart%s.
        """
            .formatted(
                header.requests(),
                header.keys(),
                header.source(),
                records,
                trace.popularity(),
                shown,
                TraceDescription.shares(profile),
                TraceDescription.shares(fitted),
                profile.made(),
                histogram.distance(),
                sizes.mean(),
                profile.sizes().mean(sizes.mean()),
                curve,
                100 * worst,
                trace.endings());
    String left = "";
    if (trace.seconds().count() > 0) {
      String what = ", which the workload does not have: it can only have one";
      if (written.isPresent()) {
        what =
            ". Here the same share of all writes has one, including the load; records that existed"
                + " before the trace never expire in it";
      } else if (ttl.isPresent()) {
        what =
            ". It would not end within a short run, and engines without times to live would be"
                + " unsupported, so it is a comment at the end, and ignored in the workload's hit"
                + " ratios";
        left =
            "# ttl: {share: %.4f, seconds: %d}\n".formatted(ttl.get().share(), ttl.get().seconds());
      }
      comments += "Times to live: " + trace.lives() + what + ".";
    }
    return comments
            .lines()
            .map(each -> "# " + WordUtils.wrap(each, LINE, "\n# ", false) + "\n")
            .collect(Collectors.joining())
        + new ScenarioWriter().write(workload)
        + left;
  }

  /** Returns the time to live of the writes; empty if there is none, or several. */
  private Optional<Ttl> ttl() {
    double share = trace.seconds().count() == 0 ? 0 : Math.round(1e4 * trace.living()) / 1e4;
    if (share == 0) {
      return Optional.empty();
    }
    int[] sorted = trace.seconds().sorted();
    // A time to live that was given as a point in time is off by a fraction of a second.
    return percentile(sorted, 99) <= 1.05 * percentile(sorted, 1)
        ? Optional.of(new Ttl(share, Math.min(Ttl.MOST_SECONDS, percentile(sorted, 50))))
        : Optional.empty();
  }

  private static double rounded(double number) {
    return Math.round(number * 1e6) / 1e6;
  }
}
