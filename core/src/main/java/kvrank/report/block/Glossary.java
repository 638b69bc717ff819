package kvrank.report.block;

import java.util.List;
import java.util.stream.Stream;
import kvrank.stats.QualityFlag;

/** The meaning of the words and signs of a report. */
public final class Glossary {

  private static final List<String> SIGNS =
      List.of(
          "throughput: successful operations per second, counted in records; the geometric mean of the"
              + " repetitions, or its estimate if some are missing. Failed operations do not count.",
          "±: how far the 95 % interval of the mean reaches to each side; n=1 or n=2 if there are"
              + " too few repetitions for an interval.",
          "rank: 1–3 means that any of these ranks is possible. The first is 1 more than the number"
              + " of engines that are separated as better; at most 5 of 100 reports separate"
              + " equal engines. \"?\": by value only, with too few repetitions for a test.",
          "not separated: the data cannot tell whether this engine or the best one is better."
              + " equal within 10 %: whichever is better, the difference is smaller than that. below"
              + " another: not separated from the first, but another engine is better.",
          "vs. best: the value divided by the best of the table. Its interval allows for few runs and"
              + " for all comparisons at once, so it is wider than ±.",
          "p50, p99: 50 or 99 of 100 requests took no longer; a batch is one request. \"-\" if"
              + " fewer than 10 requests lie beyond. With a rate, latency counts from the intended"
              + " start; otherwise it is service time.",
          "durability: the level of fsync. on: an acknowledged write is on the disk; every: after"
              + " the interval; off: when engine and kernel write it, so a crash may lose some;"
              + " none: there is no log, so the end of the engine loses all of it. Proven if the"
              + " disk's flushes match it: on, at least one for every group of writes that can wait"
              + " together; every, at least about one for each interval; off and none, clearly"
              + " fewer. Not measurable if flushes cannot be counted or distinguished from those of"
              + " other processes. 0 of 5 cuts lost: in 5 power cuts of a simulated disk, no"
              + " acknowledged write was lost. Not proven by a cut: cuts failed or showed nothing.",
          "memory: anonymous memory of the server's process, or of the client's with its JVM if the"
              + " engine is embedded. Pages of files do not count, since the system can drop them."
              + " Memory for data: without that of an empty server, or of the client without an"
              + " engine; what an embedded engine itself counts outside of the heap, such as the"
              + " file that Chronicle Map maps, does count.",
          "flushes per write: flushes beyond the disk's idle rate, for each acknowledged write"
              + " request.",
          "(2) after a value: the engine's rank by that value; without it, any rank is possible.");

  private Glossary() {}

  /** Returns all explanations, for a page. */
  public static List<String> full() {
    return Stream.concat(
            SIGNS.stream(),
            Stream.of(QualityFlag.Kind.values()).map(kind -> kind.label() + ": " + kind.meaning()))
        .toList();
  }
}
