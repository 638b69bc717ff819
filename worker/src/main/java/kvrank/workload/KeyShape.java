package kvrank.workload;

/**
 * What a key looks like: a fixed number of ASCII digits, ordered as the records are numbered, the
 * number of the prefix group first.
 *
 * @param bytes the length of every key
 * @param perPrefix the number of records that share one prefix
 */
public record KeyShape(int bytes, long perPrefix) {

  /** Keys of 16 bytes, 100 of them under each prefix. */
  public static final KeyShape DEFAULT = new KeyShape(16, 100);
}
