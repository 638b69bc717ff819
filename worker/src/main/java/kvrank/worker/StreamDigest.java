package kvrank.worker;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import kvrank.worker.client.PhaseRequests;
import kvrank.worker.protocol.WorkerException;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.ValueSource;
import kvrank.workload.key.KeyFormat;
import kvrank.workload.request.Requests;
import kvrank.workload.value.Value;

/**
 * Digests of the requests that a worker would send: {@code java -cp … kvrank.worker.StreamDigest
 * SPECFILE [REQUESTS]}, where SPECFILE is the {@code worker.properties} of a run of the same
 * version. Equal digests mean equal requests. No engine is used.
 *
 * <p>Prints the phase, the thread, the number of requests, and the SHA-256 of their operations,
 * keys, values and times to live, for each phase and thread; up to {@value #DEFAULT_REQUESTS}
 * requests. Each phase starts with the same records.
 *
 * <p>Exit status: 0, or 2 for a wrong command line or an unusable file.
 */
public final class StreamDigest {

  private static final int DEFAULT_REQUESTS = 10_000;
  private static final int USAGE = 2;
  private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

  private final WorkerSpec spec;
  private final ValueSource values;

  private StreamDigest(WorkerSpec spec) {
    this.spec = spec;
    this.values = new ValueSource(spec.dataset(), spec.seed());
  }

  public static void main(String[] arguments) {
    System.exit(run(arguments, System.out, System.err));
  }

  private static int run(String[] arguments, PrintStream out, PrintStream problems) {
    if (arguments.length < 1 || arguments.length > 2) {
      problems.println(
          "usage: java -cp … " + StreamDigest.class.getName() + " SPECFILE [REQUESTS]");
      return USAGE;
    }
    try {
      int requests = arguments.length == 1 ? DEFAULT_REQUESTS : Integer.parseInt(arguments[1]);
      WorkerSpec spec = WorkerSpec.read(Path.of(arguments[0]));
      SpecCheck.check(spec);
      lines(spec, requests).forEach(out::println);
      return 0;
    } catch (IOException | WorkerException | IllegalArgumentException e) {
      problems.println(arguments[0] + ": " + e.getMessage());
      return USAGE;
    }
  }

  static List<String> lines(WorkerSpec spec, int requests) throws IOException {
    StreamDigest digest = new StreamDigest(spec);
    List<String> lines = new ArrayList<>();
    for (WorkerPhase phase : spec.phases()) {
      // The requests of a hosted workload are unknown until it runs.
      int threads = phase.hosted().isPresent() ? 0 : phase.settings().clients();
      try (PhaseRequests phaseRequests = PhaseRequests.of(spec, phase, TEMPORARY)) {
        for (int thread = 0; thread < threads; thread++) {
          lines.add(digest.line(phase, thread, phaseRequests.of(thread), requests));
        }
      }
    }
    return lines;
  }

  private String line(WorkerPhase phase, int thread, Requests stream, int requests) {
    KeyFormat keys = new KeyFormat(spec.dataset().keys());
    byte[] key = keys.newKey();
    Value value = values.value();
    MessageDigest digest = sha256();
    int done = 0;
    while (done < requests && stream.next(phase.settings().batch())) {
      digest.update((byte) stream.operation().index());
      for (int i = 0; i < stream.size(); i++) {
        keys.write(stream.id(i), key);
        digest.update(key);
        if (stream.operation().storesValue()) {
          value.set(stream, i);
          digest.update(value.toByteArray());
          if (value.ttlSeconds() > 0) {
            digest.update(("t" + value.ttlSeconds()).getBytes(StandardCharsets.US_ASCII));
          }
        }
      }
      done++;
    }
    String sum = HexFormat.of().formatHex(digest.digest());
    return phase.name() + " " + thread + " " + done + " " + sum;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
