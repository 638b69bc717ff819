package kvrank.metric;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.OptionalLong;

/**
 * What one process used in one phase, with those that it started meanwhile.
 *
 * @param residentMeanBytes mean resident memory over the samples
 * @param residentPeakBytes the largest sample of resident memory
 * @param residentEndBytes resident memory at the end
 * @param childrenPeakBytes the largest sample of the part of it that belonged to processes which it
 *     started; pages that a fork still shares with its parent count in both. 0 if it started none
 * @param readBytes bytes fetched from the storage layer; empty where that cannot be seen
 * @param writtenBytes bytes of the page cache that it made to be written
 * @param cancelledBytes the part of them that never was, as the file was removed before
 */
public record Usage(
    double userSeconds,
    double systemSeconds,
    long residentMeanBytes,
    long residentPeakBytes,
    long residentEndBytes,
    long childrenPeakBytes,
    OptionalLong readBytes,
    OptionalLong writtenBytes,
    @JsonSetter(nulls = Nulls.AS_EMPTY) OptionalLong cancelledBytes) {

  public double cpuSeconds() {
    return userSeconds + systemSeconds;
  }
}
