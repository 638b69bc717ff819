package kvrank.worker.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The times during which a request of a client had failed and had not succeeded yet. Times are
 * nanoseconds after the start of the phase.
 */
public final class Outages {

  private final List<Outage> outages = new ArrayList<>();

  private record Outage(long from, long to) {}

  /** The union of outages: its length, and that of its longest part, in nanoseconds. */
  public record Total(long nanos, long longestNanos) {}

  void add(long from, long to) {
    outages.add(new Outage(from, to));
  }

  /** Returns the part of all outages that lies between {@code begin} and {@code end}. */
  public static Total total(Collection<Outages> clients, long begin, long end) {
    List<Outage> sorted =
        clients.stream()
            .flatMap(client -> client.outages.stream())
            .sorted(Comparator.comparingLong(Outage::from))
            .toList();
    long total = 0;
    long longest = 0;
    long from = begin;
    long to = begin;
    for (Outage outage : sorted) {
      if (outage.from > to) {
        from = outage.from;
        to = outage.from;
      }
      long until = Math.min(outage.to, end);
      total += Math.max(0, until - to);
      to = Math.max(to, until);
      longest = Math.max(longest, to - from);
    }
    return new Total(total, longest);
  }
}
