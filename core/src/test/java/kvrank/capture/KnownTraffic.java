package kvrank.capture;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import kvrank.binding.net.Endpoint;

/**
 * Clients whose traffic is known: 9 reads of 10 and 1 write, keys by Zipf, of which 1 in 5 has a
 * time to live, at independent times; or reads alone, each that misses followed by a write.
 */
public final class KnownTraffic implements Closeable {

  private static final double READS = 0.9;
  private static final int MOST_BYTES = 2_000;

  private final Endpoint endpoint;
  private final String prefix;
  private final String value;
  private final double[] reached;
  private final byte[] ttlSeconds;
  private final boolean fills;
  private volatile boolean closed;
  private final Thread[] threads;

  /**
   * Clients.
   *
   * @param prefix of every key, of which a hundred share a longer one
   * @param value what values are cut from, longer than 2,000 characters
   * @param rate commands per second of each client, without writes that follow misses
   * @param ttlSeconds for how long 1 key in 5 lives
   * @param fills whether there are reads alone, and writes of what they missed
   */
  public KnownTraffic(
      Endpoint endpoint,
      String prefix,
      String value,
      int keys,
      double exponent,
      int clients,
      double rate,
      int ttlSeconds,
      boolean fills)
      throws IOException {
    this.endpoint = endpoint;
    this.prefix = prefix;
    this.value = value;
    this.ttlSeconds = Integer.toString(ttlSeconds).getBytes(UTF_8);
    this.fills = fills;
    reached = new double[keys];
    for (int i = 0; i < keys; i++) {
      reached[i] = (i == 0 ? 0 : reached[i - 1]) + Math.pow(i + 1.0, -exponent);
    }
    threads = new Thread[clients];
    for (int i = 0; i < clients; i++) {
      SplittableRandom random = new SplittableRandom(i);
      threads[i] = new Thread(() -> run(random, rate), "known-traffic-" + i);
    }
    load();
  }

  /** Starts the clients; the keys are there. */
  public void start() {
    for (Thread each : threads) {
      each.start();
    }
  }

  private String key(int number) {
    return "%s%d:%08d".formatted(prefix, number / 100, number);
  }

  /** Returns the length of the value of a key: a third have 100 bytes, others up to 2,000. */
  public static int length(int number) {
    double share = ((number * 0x9E3779B97F4A7C15L) >>> 11) * 0x1p-53;
    return share < 1 / 3.0 ? 100 : 20 + (int) ((MOST_BYTES - 20) * Math.pow(share * 1.5 - 0.5, 2));
  }

  private void set(CapturedServer server, int number) {
    byte[] key = key(number).getBytes(UTF_8);
    int begin = number * 31 % (value.length() - MOST_BYTES);
    byte[] bytes = value.substring(begin, begin + length(number)).getBytes(UTF_8);
    if (number % 5 == 0) {
      server.ask("SET", key, bytes, "EX".getBytes(UTF_8), ttlSeconds);
    } else {
      server.ask("SET", key, bytes);
    }
  }

  private void load() throws IOException {
    try (CapturedServer server = CapturedServer.open(endpoint, new ConcurrentHashMap<>())) {
      for (int i = 0; i < reached.length; i++) {
        set(server, i);
        if (i % 100 == 99) {
          server.answers();
        }
      }
      server.answers();
    }
  }

  private void run(SplittableRandom random, double rate) {
    try (CapturedServer server = CapturedServer.open(endpoint, new ConcurrentHashMap<>())) {
      double due = System.nanoTime();
      List<Integer> reads = new ArrayList<>();
      while (!closed) {
        int asked = 0;
        for (long now = System.nanoTime(); due < now && asked < 100; asked++) {
          due -= Math.log1p(-random.nextDouble()) * 1e9 / rate;
          int place =
              Arrays.binarySearch(reached, random.nextDouble() * reached[reached.length - 1]);
          int number = scattered(place < 0 ? -place - 1 : place);
          if (fills || random.nextDouble() < READS) {
            server.ask("GET", key(number).getBytes(UTF_8));
            reads.add(number);
          } else {
            set(server, number);
          }
        }
        if (asked > 0) {
          List<Object> answers = server.answers();
          for (int i = 0; fills && i < reads.size(); i++) {
            if (answers.get(i) == null) {
              set(server, reads.get(i));
            }
          }
          reads.clear();
          server.answers();
        } else {
          Thread.sleep(0, 100_000);
        }
      }
    } catch (IOException e) {
      if (!closed) {
        throw new UncheckedIOException(e);
      }
    } catch (InterruptedException e) {
      // It is closed.
    }
  }

  /** Spreads ranks over the keys, so that popularity says nothing of lengths and expiry. */
  private int scattered(int rank) {
    return (int) (rank * 7_919L % reached.length);
  }

  @Override
  public void close() {
    closed = true;
    for (Thread each : threads) {
      each.interrupt();
    }
  }
}
