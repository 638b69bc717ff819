package kvrank.report.block;

import java.util.List;
import java.util.stream.Stream;
import kvrank.stats.QualityFlag;

/** What the words and signs of a report mean. */
public final class Glossary {

  /** For a terminal, in a sentence. */
  public static final String BRIEF =
      "throughput: successful operations per second, the median of the repetitions; ±: its 95%"
          + " interval, none with n=1 or n=2; a rank 1–3 may be any of these, one with \"?\" goes by"
          + " the value alone; latency is per request.";

  private static final List<String> SIGNS =
      List.of(
          "throughput: successful operations per second, in records; the median of the"
              + " repetitions. Failed operations do not count as throughput.",
          "±: how far the 95 % interval of the median reaches to each side; n=1 or n=2"
              + " where the repetitions are too few for one.",
          "rank: 1–3 are the ranks that the engine may have, 1 more than those that are"
              + " separated from it as better; equal engines are separated in at most 5"
              + " of 100 tables. \"?\": by the value alone.",
          "not separated: the data cannot tell which of this engine and the best is"
              + " better. equal within 10 %: whichever it is, the difference is less.",
          "vs. best: the value divided by the best of the table.",
          "p50, p99: so many of 100 requests (of whole batches, where there are some)"
              + " took no longer; \"-\" where fewer than 10 requests lie beyond. Latency"
              + " counts from the intended start where a rate is set, and is service time"
              + " elsewhere.",
          "durability: the level, and proven if the disk's flushes are as many as it asks"
              + " for: on, at least one for every group of writes that can wait together;"
              + " every, at least about one for each interval; off and none (no log at all),"
              + " clearly fewer. Not measurable where flushes cannot be counted, or cannot be"
              + " told from those of others.",
          "flushes per write: flushes that the disk completed beyond its idle rate, for"
              + " each acknowledged write request.",
          "(2) after a value: the engine's rank by that value.");

  private Glossary() {}

  /** For a page: each once. */
  public static List<String> full() {
    return Stream.concat(
            SIGNS.stream(),
            Stream.of(QualityFlag.Kind.values()).map(kind -> kind.label() + ": " + kind.meaning()))
        .toList();
  }
}
