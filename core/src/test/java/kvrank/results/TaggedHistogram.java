package kvrank.results;

import org.HdrHistogram.Histogram;

/** Histograms for logs of latencies. */
public final class TaggedHistogram {

  private TaggedHistogram() {}

  public static Histogram of(String tag, long... values) {
    Histogram histogram = new Histogram(3);
    histogram.setTag(tag);
    for (long value : values) {
      histogram.recordValue(value);
    }
    return histogram;
  }
}
