package kvrank.results.pack;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import kvrank.results.LatencyLog;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import org.HdrHistogram.Histogram;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * Finds the same histogram in two runs, of any archives. Latencies of this many requests, in
 * nanoseconds, are never the same twice.
 */
final class Copies {

  /** The fewest requests of a histogram that is compared. */
  private static final int FEWEST = 1000;

  /** The fewest latencies in it; an engine that does nothing has few. */
  private static final int FEWEST_SLOTS = 20;

  /** How the sentence about a run begins whose execution is in two archives. */
  static final String AGAIN = "is also in ";

  /** A run whose histogram was seen. */
  private record Place(Path archive, RunRecord run) {

    private boolean sameExecution(Place other) {
      return run.id().equals(other.run.id())
          && run.started().equals(other.run.started())
          && !archive.equals(other.archive);
    }
  }

  private final Map<String, Place> seen = new HashMap<>();

  /** Returns a sentence about a run that is a copy. */
  Optional<String> copy(Path archive, RunRecord run, RawLatencies latencies) {
    Place here = new Place(archive, run);
    Optional<String> found = Optional.empty();
    for (PhaseRecord phase : run.phases()) {
      for (Map.Entry<String, LatencyLog.Recorded> each : latencies.of(phase.name()).entrySet()) {
        Histogram histogram = each.getValue().histogram();
        if (histogram.getTotalCount() < FEWEST || slots(histogram) < FEWEST_SLOTS) {
          continue;
        }
        Place other = seen.putIfAbsent(digest(histogram), here);
        if (other != null && found.isEmpty()) {
          found =
              Optional.of(
                  here.sameExecution(other)
                      ? AGAIN
                          + other.archive().getFileName()
                          + "; keep only the archive with more runs"
                      : "%s: %s, %s is a copy of the one in %s of %s"
                          .formatted(
                              RawLatencies.FILE,
                              phase.name(),
                              each.getKey(),
                              other.run().id(),
                              other.archive().getFileName()));
        }
      }
    }
    return found;
  }

  private static long slots(Histogram histogram) {
    long slots = 0;
    for (Iterator<?> each = histogram.recordedValues().iterator(); each.hasNext(); each.next()) {
      slots++;
    }
    return slots;
  }

  private static String digest(Histogram histogram) {
    ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    histogram.encodeIntoByteBuffer(bytes);
    return DigestUtils.sha256Hex(Arrays.copyOf(bytes.array(), bytes.position()));
  }
}
