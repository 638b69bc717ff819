package kvrank.results;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.SortedMap;
import kvrank.metric.Latency;

/**
 * One step of a sweep over rates, in OK operations per second.
 *
 * @param asked the requested rate; 0 for no limit
 * @param latencyNanos by the operation's label; from the intended start if a rate was requested
 * @param good whether the step kept the rate and, in a search, the bound
 * @param evidence the reason for {@code good}; may be empty
 */
public record RatePoint(
    double asked,
    double achieved,
    SortedMap<String, Latency> latencyNanos,
    boolean good,
    @JsonSetter(nulls = Nulls.AS_EMPTY) String evidence) {}
