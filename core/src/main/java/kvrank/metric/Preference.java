package kvrank.metric;

import java.util.List;

/**
 * The metric by which a scenario orders engines that meet all requirements, for example {@code
 * memory}; of several values of an engine, the worst counts.
 *
 * @param cells the values of the metric
 */
public record Preference(String text, List<Expectation.Cell> cells, Metric metric) {}
