package kvrank.report.html;

import kvrank.report.chart.Markup;

/** What the words and signs of the page mean. */
final class HowToRead {

  private static final String[][] TERMS = {
    {
      "throughput",
      "OK records per second. Errors and records that were not found are not throughput."
    },
    {
      "interval",
      "Where the true median lies with 95 % confidence. With too few repetitions there is none."
    },
    {"of best", "The value divided by that of the best engine of the same table."},
    {"tied, or = after a rank", "The data cannot separate these engines, so they share the rank."},
    {
      "n=1, n=2",
      "So few repetitions: there is no interval, and whether engines are tied cannot be told."
    },
    {"n=2 of 3", "Fewer repetitions than planned count; the reason stands below the table."},
    {"errors", "Operations failed; they are not throughput."},
    {
      "flushes per write",
      "Flushes that the disk completed beyond its idle rate, for each acknowledged write request."
    },
    {
      "proven, not proven",
      "Whether the disk's flushes are as many as fsync asks for: with on, one or more for every group of writes that can wait together; with off, clearly fewer."
    },
    {"not measurable", "Flushes cannot be counted here, or cannot be told from those of others."},
    {"not steady", "The throughput of a repetition still drifted after the warm-up."},
    {"saturated", "The engine did not keep up with the rate that was asked for."},
    {"harness-bound", "The harness, not the engine, may have been the limit."},
    {"disturbed", "Others used over 10 % of the machine meanwhile."},
    {
      "p50, p99, p99.9",
      "So many of 100 requests were answered within this time. One is given only if at least 10 requests lie beyond it."
    },
    {"–, -", "There is no value."},
  };

  private HowToRead() {}

  static void write(Markup html) {
    html.open("dl");
    for (String[] term : TERMS) {
      html.element("dt", term[0]).element("dd", term[1]).line();
    }
    html.close();
    html.element(
        "p",
        "In charts each engine keeps its colour, its dashes and its marker. A table is sorted by a"
            + " click on a heading, or by Enter or Space while it has the focus.");
  }
}
