package kvrank.results;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.SortedMap;
import kvrank.metric.Latency;

/**
 * One step of a sweep over rates.
 *
 * @param asked operations per second that were asked for, or 0 for as fast as it goes
 * @param achieved OK operations per second
 * @param latencyNanos by the operation's label; from the intended start where a rate was asked
 * @param good whether the step kept the rate and, in a search, the bound
 * @param evidence what that goes by; empty where a curve kept the rate, and in results that do not
 *     say
 */
public record RatePoint(
    double asked,
    double achieved,
    SortedMap<String, Latency> latencyNanos,
    boolean good,
    @JsonSetter(nulls = Nulls.AS_EMPTY) String evidence) {}
