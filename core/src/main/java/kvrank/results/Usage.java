package kvrank.results;

/**
 * What one process used in one phase.
 *
 * @param userSeconds CPU time in user mode
 * @param systemSeconds CPU time in the kernel
 * @param residentMeanBytes mean resident memory over the samples
 * @param residentPeakBytes the largest sample of resident memory
 * @param residentEndBytes resident memory at the end
 * @param readBytes bytes fetched from the storage layer
 * @param writtenBytes bytes sent to the storage layer
 */
public record Usage(
    double userSeconds,
    double systemSeconds,
    long residentMeanBytes,
    long residentPeakBytes,
    long residentEndBytes,
    long readBytes,
    long writtenBytes) {}
