package kvrank.trace;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.Recorded;

/**
 * libCacheSim's binary format of the traces that Carnegie Mellon University publishes: records of
 * time in seconds (4 bytes), number of the object (8), its length (4) and the number of its next
 * request (8), which is not read. The lowest byte is the first. All requests are reads.
 */
final class OracleGeneral {

  private static final int BYTES = 24;
  private static final int KEY = 4;
  private static final int SIZE = 12;
  private static final int NEXT = 16;
  private static final long LEAST_UNLIKELY = 1L << 40;

  private OracleGeneral() {}

  /** Returns the first mismatch of the first bytes to this format; empty if they may be of it. */
  static Optional<String> misfit(String beginning) {
    ByteBuffer bytes = buffer(beginning.getBytes(ISO_8859_1));
    if (bytes.capacity() < BYTES) {
      return Optional.of("has fewer than %d bytes".formatted(BYTES));
    }
    long last = 0;
    for (int at = 0; at + BYTES <= bytes.capacity(); at += BYTES) {
      long time = Integer.toUnsignedLong(bytes.getInt(at));
      long next = bytes.getLong(at + NEXT);
      boolean never = next == -1 || next == Long.MAX_VALUE;
      if (time < last) {
        return Optional.of("bytes %d to %d are not a time".formatted(at, at + KEY - 1));
      }
      if (!never && (next <= at / BYTES || next >= LEAST_UNLIKELY)) {
        return Optional.of(
            "bytes %d to %d are not a later request".formatted(at + NEXT, at + BYTES - 1));
      }
      last = time;
    }
    return Optional.empty();
  }

  private static ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static void read(TraceInput in, TraceBuilder out) throws IOException {
    out.clock(1_000_000);
    while (in.record(BYTES)) {
      ByteBuffer record = buffer(in.text());
      long size = Integer.toUnsignedLong(record.getInt(SIZE));
      if (size == 0) {
        // As libCacheSim does.
        out.other();
        continue;
      }
      out.add(
          1_000_000 * Integer.toUnsignedLong(record.getInt(0)),
          Operation.READ,
          0,
          KEY,
          SIZE,
          SIZE - KEY,
          size,
          0,
          Recorded.UNKNOWN);
    }
    out.unread("next request");
  }
}
