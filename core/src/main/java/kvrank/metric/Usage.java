package kvrank.metric;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.OptionalLong;

/**
 * The resources that a process and its children used in one phase.
 *
 * @param residentMeanBytes mean resident memory over the samples
 * @param residentPeakBytes the largest sample of resident memory
 * @param residentEndBytes resident memory at the end
 * @param childrenPeakBytes the largest sample of the children's resident memory, 0 without
 *     children; pages that a fork shares with its parent count in both
 * @param readBytes bytes read from the storage layer; empty if unknown
 * @param writtenBytes bytes of the page cache that the process caused to be written
 * @param cancelledBytes the part of {@code writtenBytes} that was never written because the file
 *     was removed before
 * @param majorFaults page faults for which the process waited for storage; empty in older records
 * @param anonymousEndBytes the part of {@code residentEndBytes} that belongs to no file; empty in
 *     older records
 * @param anonymousMeanBytes the mean of the same part over the samples; empty in older records
 * @param anonymousPeakBytes the largest sample of it; empty in older records
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
    @JsonSetter(nulls = Nulls.AS_EMPTY) OptionalLong cancelledBytes,
    @JsonSetter(nulls = Nulls.AS_EMPTY) OptionalLong majorFaults,
    @JsonSetter(nulls = Nulls.AS_EMPTY) OptionalLong anonymousEndBytes,
    @JsonSetter(nulls = Nulls.AS_EMPTY) OptionalLong anonymousMeanBytes,
    @JsonSetter(nulls = Nulls.AS_EMPTY) OptionalLong anonymousPeakBytes) {

  public double cpuSeconds() {
    return userSeconds + systemSeconds;
  }
}
