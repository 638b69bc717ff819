package kvrank.stats.change;

import java.util.List;
import kvrank.results.ExecutionResults;
import kvrank.stats.infer.BlockAnalysis;
import kvrank.stats.infer.Estimate;

/**
 * How much one execution differs from another of the same, which one or two baselines do not show:
 * a standard deviation, as a share of the value.
 *
 * @param stated the deviation if it is not measured
 * @param earlier executions that show it; fewer than three do not
 */
public record Shift(double stated, List<ExecutionResults> earlier) {

  /** The deviation of neither busy nor quiet machines, if nothing is known. */
  public static final double USUAL = BlockAnalysis.USUAL_SHIFT;

  public static Shift stated(double deviation) {
    return new Shift(deviation, List.of());
  }

  /** Returns whether {@link #earlier} executions show the deviation. */
  public boolean measured() {
    return earlier.size() >= Estimate.FEWEST;
  }
}
