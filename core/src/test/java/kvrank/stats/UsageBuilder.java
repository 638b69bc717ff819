package kvrank.stats;

import java.util.OptionalLong;
import kvrank.metric.Usage;

/** Builds what a process used that started no other and whose I/O can be seen. */
public final class UsageBuilder {

  private double userSeconds;
  private double systemSeconds;
  private long residentMean;
  private long residentPeak;
  private long residentEnd;
  private long files;
  private long readBytes;
  private long writtenBytes;
  private OptionalLong majorFaults = OptionalLong.empty();

  UsageBuilder() {}

  public UsageBuilder cpuSeconds(double user, double system) {
    userSeconds = user;
    systemSeconds = system;
    return this;
  }

  /** Sets the resident memory, in bytes: its mean, its peak and that at the end. */
  public UsageBuilder resident(long mean, long peak, long end) {
    residentMean = mean;
    residentPeak = peak;
    residentEnd = end;
    return this;
  }

  /** Sets the part of the resident memory that are pages of files. */
  public UsageBuilder files(long bytes) {
    files = bytes;
    return this;
  }

  public UsageBuilder readBytes(long bytes) {
    readBytes = bytes;
    return this;
  }

  public UsageBuilder writtenBytes(long bytes) {
    writtenBytes = bytes;
    return this;
  }

  public UsageBuilder majorFaults(long faults) {
    majorFaults = OptionalLong.of(faults);
    return this;
  }

  public Usage build() {
    return new Usage(
        userSeconds,
        systemSeconds,
        residentMean,
        residentPeak,
        residentEnd,
        0,
        OptionalLong.of(readBytes),
        OptionalLong.of(writtenBytes),
        OptionalLong.of(0),
        majorFaults,
        OptionalLong.of(residentEnd - files),
        OptionalLong.of(residentMean - files),
        OptionalLong.of(residentPeak - files));
  }
}
