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
import java.util.function.IntUnaryOperator;
import kvrank.binding.net.Endpoint;

/**
 * Clients whose traffic is known: every tenth command a write and the others reads, keys by Zipf or
 * with a hot spot, at independent times; or only reads, each that misses followed by a write.
 */
public final class KnownTraffic implements Closeable {

  private static final int WRITE_EVERY = 10;
  private static final int MOST_BYTES = 4_000;

  /** The most commands that a client sends before it waits for the answers. */
  private static final int MOST_ASKED = 100;

  /** Reads of the warm-up for each key. */
  private static final int WARM_UP = 3;

  private final Endpoint endpoint;
  private final String prefix;
  private final String value;
  private final double[] reached;
  private IntUnaryOperator length = rank -> length(scattered(rank));
  private double ttlShare;
  private boolean ttlOfKeys;
  private int ttlSeconds;
  private boolean fills;
  private volatile boolean closed;
  private Thread[] threads = {};

  /**
   * Clients that ask for keys by the shares of {@code reached}.
   *
   * @param prefix of every key, of which a hundred share a longer one
   * @param value what values are cut from, longer than 4,000 characters
   */
  private KnownTraffic(Endpoint endpoint, String prefix, String value, double[] reached) {
    this.endpoint = endpoint;
    this.prefix = prefix;
    this.value = value;
    this.reached = reached;
    Arrays.parallelPrefix(reached, Double::sum);
  }

  /** Returns clients that ask for the key of rank r in proportion to {@code r^-exponent}. */
  public static KnownTraffic zipf(
      Endpoint endpoint, String prefix, String value, int keys, double exponent) {
    double[] weights = new double[keys];
    Arrays.setAll(weights, i -> Math.pow(i + 1.0, -exponent));
    return new KnownTraffic(endpoint, prefix, value, weights);
  }

  /** Returns clients of which a share of the accesses is of the first {@code hot} ranks. */
  public static KnownTraffic hotspot(
      Endpoint endpoint, String prefix, String value, int keys, int hot, double share) {
    double[] weights = new double[keys];
    Arrays.setAll(weights, i -> i < hot ? share / hot : (1 - share) / (keys - hot));
    return new KnownTraffic(endpoint, prefix, value, weights);
  }

  /** Sets the lengths of values by the rank of their key, from 0. */
  public KnownTraffic lengths(IntUnaryOperator ofRank) {
    length = ofRank;
    return this;
  }

  /** Gives every write of a share of the keys a time to live. */
  public KnownTraffic ttlOfKeys(double share, int seconds) {
    ttlOfKeys = true;
    return ttlOfWrites(share, seconds);
  }

  /** Gives a share of the writes a time to live, those of the load, too. */
  public KnownTraffic ttlOfWrites(double share, int seconds) {
    ttlShare = share;
    ttlSeconds = seconds;
    return this;
  }

  /**
   * Makes all accesses reads, and each that misses be followed by a write of the key. Traffic is
   * steady from the start: the load gives keys a part of their time to live, since otherwise all
   * would expire at once, again and again, and is followed by a warm-up.
   */
  public KnownTraffic fills() {
    fills = true;
    return this;
  }

  /**
   * Loads the keys and starts clients.
   *
   * @param rate commands per second of each client, without writes that follow misses
   */
  public void start(int clients, double rate) throws IOException {
    load();
    if (fills) {
      warmUp();
    }
    threads = new Thread[clients];
    for (int i = 0; i < clients; i++) {
      SplittableRandom random = new SplittableRandom(i);
      threads[i] = new Thread(() -> run(random, rate), "known-traffic-" + i);
      threads[i].start();
    }
  }

  private String key(int number) {
    return "%s%d:%08d".formatted(prefix, number / 100, number);
  }

  /** Returns the length of the value of a key: a third have 100 bytes, others up to 2,000. */
  public static int length(int number) {
    double share = ((number * 0x9E3779B97F4A7C15L) >>> 11) * 0x1p-53;
    return share < 1 / 3.0 ? 100 : 20 + (int) (1_980 * Math.pow(share * 1.5 - 0.5, 2));
  }

  private void set(CapturedServer server, SplittableRandom random, int rank, boolean load) {
    int number = scattered(rank);
    byte[] key = key(number).getBytes(UTF_8);
    int begin = number * 31 % (value.length() - MOST_BYTES);
    byte[] bytes = value.substring(begin, begin + length.applyAsInt(rank)).getBytes(UTF_8);
    double chance = ttlOfKeys ? number % 100 / 100.0 : random.nextDouble();
    if (chance < ttlShare && load && fills) {
      byte[] rest = Integer.toString(1 + random.nextInt(1_000 * ttlSeconds)).getBytes(UTF_8);
      server.ask("SET", key, bytes, "PX".getBytes(UTF_8), rest);
    } else if (chance < ttlShare) {
      byte[] life = Integer.toString(ttlSeconds).getBytes(UTF_8);
      server.ask("SET", key, bytes, "EX".getBytes(UTF_8), life);
    } else {
      server.ask("SET", key, bytes);
    }
  }

  private void load() throws IOException {
    SplittableRandom random = new SplittableRandom(-1);
    try (CapturedServer server = CapturedServer.open(endpoint, new ConcurrentHashMap<>())) {
      for (int i = 0; i < reached.length; i++) {
        set(server, random, i, true);
        if (i % 100 == 99) {
          server.answers();
        }
      }
      server.answers();
    }
  }

  /** Without pauses, so that a cache has what it would have had for long. */
  private void warmUp() throws IOException {
    SplittableRandom random = new SplittableRandom(-2);
    try (CapturedServer server = CapturedServer.open(endpoint, new ConcurrentHashMap<>())) {
      for (int batch = 0; batch < WARM_UP * reached.length / MOST_ASKED; batch++) {
        List<Integer> reads = new ArrayList<>();
        for (int i = 0; i < MOST_ASKED; i++) {
          read(server, random, reads);
        }
        answers(server, random, reads);
      }
    }
  }

  private void read(CapturedServer server, SplittableRandom random, List<Integer> reads) {
    int rank = rank(random);
    server.ask("GET", key(scattered(rank)).getBytes(UTF_8));
    reads.add(rank);
  }

  private int rank(SplittableRandom random) {
    int place = Arrays.binarySearch(reached, random.nextDouble() * reached[reached.length - 1]);
    return place < 0 ? -place - 1 : place;
  }

  /** Waits for the answers, of which {@code reads} come first, and fills what is missing. */
  private void answers(CapturedServer server, SplittableRandom random, List<Integer> reads)
      throws IOException {
    List<Object> answers = server.answers();
    for (int i = 0; fills && i < reads.size(); i++) {
      if (answers.get(i) == null) {
        set(server, random, reads.get(i), false);
      }
    }
    server.answers();
  }

  private void run(SplittableRandom random, double rate) {
    try (CapturedServer server = CapturedServer.open(endpoint, new ConcurrentHashMap<>())) {
      double due = System.nanoTime();
      long commands = 0;
      while (!closed) {
        int asked = 0;
        List<Integer> reads = new ArrayList<>();
        for (long now = System.nanoTime(); due < now && asked < MOST_ASKED; asked++) {
          due -= Math.log1p(-random.nextDouble()) * 1e9 / rate;
          if (fills || ++commands % WRITE_EVERY != 0) {
            read(server, random, reads);
          } else {
            set(server, random, rank(random), false);
          }
        }
        if (asked > 0) {
          answers(server, random, reads);
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

  /** Spreads ranks over the keys, so that popularity says nothing about lengths and expiry. */
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
