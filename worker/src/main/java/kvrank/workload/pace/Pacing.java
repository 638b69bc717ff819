package kvrank.workload.pace;

import java.math.BigDecimal;

/**
 * When requests begin.
 *
 * @param rate records per second of all threads; 0 for a closed loop, in which each client's next
 *     request follows its last answer
 * @param arrivals how the requests of an open loop are spread over time
 */
public record Pacing(double rate, ArrivalProcess arrivals) {

  /** The text of an unlimited rate. */
  public static final String UNLIMITED = "max";

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

  /** Returns {@code max}, or the rate without an exponent. */
  public String rateText() {
    return open() ? decimal(rate) : UNLIMITED;
  }

  /** Returns the shortest form of {@code number} without an exponent. */
  public static String decimal(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }
}
