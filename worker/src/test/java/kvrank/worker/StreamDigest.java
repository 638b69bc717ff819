package kvrank.worker;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import kvrank.workload.Distribution;
import kvrank.workload.KeyChoice;
import kvrank.workload.KeyFormat;
import kvrank.workload.KeyShape;
import kvrank.workload.Operation;
import kvrank.workload.RequestPlan;
import kvrank.workload.Requests;
import kvrank.workload.Value;
import kvrank.workload.ValueShape;
import kvrank.workload.ValueSource;

/** A digest of the first requests of each thread: operations, keys and values. */
final class StreamDigest {

  private StreamDigest() {}

  /** Prints the digest of a mix of everything. */
  public static void main(String[] arguments) {
    System.out.println(ofEverything(Long.parseLong(arguments[0])));
  }

  static String ofEverything(long seed) {
    Map<Operation, Integer> mix = new TreeMap<>();
    for (Operation operation : Operation.values()) {
      mix.put(operation, 1 + mix.size());
    }
    StringBuilder digests = new StringBuilder();
    for (Distribution keys : Distribution.values()) {
      RequestPlan plan =
          new RequestPlan(
              seed, "phase", new TreeMap<>(mix), KeyChoice.of(keys), 10_000, 3, 4, false);
      digests.append(of(plan, ValueShape.fixed(100), 2_000)).append(' ');
    }
    ValueShape json = new ValueShape(ValueShape.Kind.JSON, 200, 900, ValueShape.Sizes.ZIPFIAN, 0);
    RequestPlan plan =
        new RequestPlan(
            seed, "load", new TreeMap<>(), KeyChoice.of(Distribution.RANDOM), 999, 2, 1, false);
    return digests.append(of(plan, json, 2_000)).toString();
  }

  private static String of(RequestPlan plan, ValueShape values, int requests) {
    MessageDigest digest = sha256();
    KeyFormat keys = new KeyFormat(KeyShape.DEFAULT);
    Value value = new ValueSource(values, plan.seed()).value();
    for (int thread = 0; thread < plan.threads(); thread++) {
      Requests stream = plan.operations().isEmpty() ? plan.load(thread) : plan.mix(thread);
      for (int i = 0; i < requests && stream.next(Integer.MAX_VALUE); i++) {
        digest.update(stream.operation().label().getBytes(StandardCharsets.UTF_8));
        for (int record = 0; record < stream.size(); record++) {
          digest.update(keys.key(stream.id(record)).getBytes(StandardCharsets.UTF_8));
          if (List.of(Operation.INSERT, Operation.UPDATE, Operation.READ_MODIFY_WRITE)
              .contains(stream.operation())) {
            value.set(stream.id(record), stream.version(record));
            byte[] bytes = new byte[value.size()];
            value.copy(0, bytes, 0, bytes.length);
            digest.update(bytes);
          }
        }
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
