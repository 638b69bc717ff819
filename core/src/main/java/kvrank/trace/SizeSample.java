package kvrank.trace;

import java.util.Arrays;
import java.util.SplittableRandom;

/** A sample of lengths in which each is as likely as any other (Vitter's algorithm R, 1985). */
final class SizeSample {

  private static final int MOST = 100_000;

  private final SplittableRandom random = new SplittableRandom(1);
  private int[] sample = new int[1 << 10];
  private long count;
  private double sum;
  private int least = Integer.MAX_VALUE;
  private int most;

  void add(int bytes) {
    if (count < MOST) {
      if (count == sample.length) {
        sample = Arrays.copyOf(sample, 2 * sample.length);
      }
      sample[(int) count] = bytes;
    } else {
      long place = random.nextLong(count + 1);
      if (place < MOST) {
        sample[(int) place] = bytes;
      }
    }
    count++;
    sum += bytes;
    least = Math.min(least, bytes);
    most = Math.max(most, bytes);
  }

  /** Returns the number of lengths that were added. */
  long count() {
    return count;
  }

  /** Returns a random length of the sample; {@code otherwise} if it is empty. */
  int draw(int otherwise) {
    return count == 0 ? otherwise : sample[random.nextInt((int) Math.min(count, MOST))];
  }

  /** Returns the mean of all, or {@code otherwise}. */
  double mean(double otherwise) {
    return count == 0 ? otherwise : sum / count;
  }

  /** Returns the sample, the shortest first, including the shortest and the longest of all. */
  int[] sorted() {
    int[] sorted = Arrays.copyOf(sample, (int) Math.min(count, MOST));
    Arrays.sort(sorted);
    sorted[0] = least;
    sorted[sorted.length - 1] = most;
    return sorted;
  }
}
