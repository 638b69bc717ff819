package kvrank.workload.pace;

import java.math.BigDecimal;

/**
 * When requests begin.
 *
 * @param rate records per second of all threads together; 0 for as fast as it goes, each client's
 *     next request after the answer to its last (a closed loop)
 * @param arrivals how the requests of a rate are spread over time; without a rate it has no meaning
 */
public record Pacing(double rate, ArrivalProcess arrivals) {

  /** How {@code rate} is written where there is none. */
  public static final String UNLIMITED = "max";

  /** As fast as it goes. */
  public static final Pacing CLOSED = new Pacing(0, ArrivalProcess.CONSTANT);

  public static Pacing of(String rate, String arrivals) {
    return new Pacing(
        rate.equals(UNLIMITED) ? 0 : Double.parseDouble(rate),
        ArrivalProcess.of(arrivals).orElseThrow(() -> new IllegalArgumentException(arrivals)));
  }

  /** Returns whether requests have an intended start (an open loop). */
  public boolean open() {
    return rate > 0;
  }

  /** Returns the rate as it is written: {@code max}, or a number without an exponent. */
  public String rateText() {
    return open() ? decimal(rate) : UNLIMITED;
  }

  /** Returns the shortest form of {@code number} without an exponent. */
  public static String decimal(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }
}
