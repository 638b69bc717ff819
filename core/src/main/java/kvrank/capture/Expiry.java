package kvrank.capture;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import kvrank.workload.value.Ttl;

/**
 * The times to live of a server's writes.
 *
 * @param share of the writes that set one, or, if writes only fill misses, of the keys that have
 *     one; empty if it is unknown
 * @param seconds the time; empty if it is unknown, or if there are several
 * @param evidence how both were found, as sentences; empty if no key has a time to live
 */
record Expiry(Optional<Double> share, OptionalInt seconds, String evidence) {

  /** Bounds of a share that are as close as this are an estimate. */
  private static final double CLOSE = 0.02;

  /** More expirations than these times as many as one time to live explains are of others. */
  private static final double MOST_EXPIRED = 1.15;

  /**
   * Estimates the times to live. Existing keys are a biased sample of them: expired keys are
   * missing, above all those with a short time to live.
   *
   * @param rest the remaining times of existing keys
   * @param existing the share of the existing keys that have a time to live
   * @param living the number of existing keys that have one
   * @param expired the number of keys that expire in a second
   * @param stated the least share of the writes by commands that always set one
   * @param writes the monitored writes; empty if none were monitored
   * @param accessed the accessed keys, if each missing one is filled; otherwise empty
   * @param evicts whether missing keys may have been evicted
   */
  static Expiry of(
      TimesToLive rest,
      double existing,
      double living,
      double expired,
      double stated,
      Optional<WriteTimes> writes,
      Optional<KeySample> accessed,
      boolean evicts) {
    WriteTimes monitored = writes.orElseGet(WriteTimes::new);
    if (rest.count() == 0 && existing == 0 && expired == 0 && monitored.share() == 0) {
      return new Expiry(Optional.of(0.0), OptionalInt.empty(), "");
    }
    OptionalInt seconds = monitored.seconds();
    StringBuilder evidence = new StringBuilder();
    if (seconds.isPresent()) {
      evidence.append(
          "Monitored writes set a time to live of %d s. ".formatted(seconds.getAsInt()));
    } else if (monitored.share() > 0 && monitored.quantile(0.5) > 0) {
      evidence.append(
          "Monitored writes set several times to live, or too few of them: p10 %d s, p50 %d s, p90 %d s. "
              .formatted(
                  monitored.quantile(0.1), monitored.quantile(0.5), monitored.quantile(0.9)));
    }
    boolean hidden =
        rest.seconds().isPresent()
            && expired * rest.seconds().getAsInt() > MOST_EXPIRED * living + 3 * Math.sqrt(living);
    if (monitored.quantile(0.5) == 0 && !hidden) {
      seconds = rest.seconds();
    }
    evidence.append(
        "%.2f %% of the existing keys have a time to live%s. %,.1f keys per second expired%s. "
            .formatted(
                100 * existing,
                rest,
                expired,
                hidden
                    ? ", more than with this time: there are others, too short to be seen"
                    : ""));
    Optional<Double> share = Optional.empty();
    if (accessed.isPresent() && !accessed.get().accessed().isEmpty()) {
      share = ofKeys(accessed.get(), evicts, evidence);
    } else if (writes.isPresent() && accessed.isEmpty()) {
      share = ofWrites(monitored, evidence);
    } else if (Math.max(existing, stated) >= 1 - CLOSE) {
      share = Optional.of((1 + Math.max(existing, stated)) / 2);
    } else {
      evidence.append(
          "The share of the writes that set one is unknown: keys that expire are missing among the"
              + " existing ones. Use --accesses. ");
    }
    return new Expiry(share, seconds, evidence.toString());
  }

  private static Optional<Double> ofWrites(WriteTimes writes, StringBuilder evidence) {
    evidence.append(
        "%.2f %% of %,d monitored writes set one, of %,d keys, %.2f +- %.2f %% if all keys count alike. "
            .formatted(
                100 * writes.share(),
                writes.count(),
                writes.keys(),
                100 * writes.shareOfKeys(),
                100 * writes.interval()));
    if (!writes.obstacle().isEmpty()) {
      evidence.append("A workload cannot express that %s. ".formatted(writes.obstacle()));
    }
    return Optional.of(writes.shareOfKeys()).filter(share -> writes.obstacle().isEmpty());
  }

  private static Optional<Double> ofKeys(KeySample sample, boolean evicts, StringBuilder evidence) {
    // A key once, however popular it is.
    List<KeySample.Key> keys = sample.distinct(KeySample.Key::read);
    double all = keys.size();
    double living = keys.stream().filter(KeySample.Key::expires).count() / all;
    double missing = keys.stream().filter(key -> key.millis() == KeySample.MISSING).count() / all;
    double share = living + missing;
    evidence.append(
        "%.2f +- %.2f %% of %,.0f keys that were read, and filled if missing, have one or have expired"
                .formatted(100 * share, 196 * Math.sqrt(share * (1 - share) / all), all)
            + " (PTTL). ");
    if (evicts && missing > CLOSE) {
      evidence.append(
          "Of these, %.2f %% are missing, and may have been evicted. ".formatted(100 * missing));
      return Optional.empty();
    }
    return Optional.of(share);
  }

  /** Returns the time to live of a workload; empty if it is unknown, or if there is none. */
  Optional<Ttl> ttl() {
    return share
        .map(part -> Math.round(1e4 * part) / 1e4)
        .filter(part -> part > 0 && seconds.isPresent())
        .map(part -> new Ttl(part, Math.min(Ttl.MOST_SECONDS, seconds.getAsInt())));
  }

  /** Returns the time to live if it ends within a run. */
  Optional<Ttl> ofRun() {
    return ttl().filter(ttl -> ttl.seconds() <= Ttl.MOST_SECONDS_OF_A_RUN);
  }
}
