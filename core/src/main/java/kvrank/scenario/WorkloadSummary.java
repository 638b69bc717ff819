package kvrank.scenario;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import kvrank.workload.TransactionPart;
import kvrank.workload.Workload;
import kvrank.workload.key.KeyShape;
import kvrank.workload.pace.Pacing;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Operation;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;

/** A workload as one line: mix, keys and values. */
public final class WorkloadSummary {

  private static final MathContext DIGITS = new MathContext(6);

  private WorkloadSummary() {}

  /** Returns for example {@code 95 % read, 5 % update; zipfian keys; values of 1,000 bytes}. */
  public static String of(Workload workload) {
    if (workload.hosted().isPresent()) {
      return "the class " + workload.hosted().get().className() + " with its own requests";
    }
    StringBuilder text = new StringBuilder(mix(workload));
    text.append("; ").append(keys(workload.mix().keys()));
    workload.keyShape().ifPresent(shape -> text.append(' ').append(shape(shape)));
    workload
        .valueShape()
        .map(ValueShape::sizes)
        .ifPresent(sizes -> text.append("; values of ").append(lengths(sizes, "bytes")));
    if (workload.operations().contains(Operation.RANGE_SCAN)) {
      text.append("; scans of ").append(lengths(workload.mix().scanRecords(), "records"));
    }
    return text.append(workload.mix().reverse() ? "; in descending order" : "").toString();
  }

  /** Returns the same for a group, with its own threads and rate. */
  public static String of(GroupSpec group) {
    StringBuilder text = new StringBuilder();
    group.threads().ifPresent(n -> text.append(n).append(n == 1 ? " thread; " : " threads; "));
    if (!group.rate().equals(Pacing.UNLIMITED)) {
      text.append(group.rate()).append(" per second; ");
    }
    return text.append(of(group.workload())).toString();
  }

  private static String mix(Workload workload) {
    List<TransactionPart> transaction = workload.mix().transaction();
    if (!transaction.isEmpty()) {
      return transaction.stream()
          .map(WorkloadSummary::part)
          .collect(Collectors.joining(", ", "transactions of ", ""));
    }
    BigDecimal sum =
        BigDecimal.valueOf(
            workload.mix().weights().values().stream().mapToLong(Integer::longValue).sum());
    return workload.mix().weights().entrySet().stream()
        .map(
            weight ->
                BigDecimal.valueOf(100L * weight.getValue())
                        .divide(sum, DIGITS)
                        .stripTrailingZeros()
                        .toPlainString()
                    + " % "
                    + weight.getKey().label())
        .collect(Collectors.joining(", "));
  }

  private static String part(TransactionPart part) {
    String label = part.operation().label();
    return part.times() > 1
        ? part.times() + " " + label
        : label + (part.record().isEmpty() ? "" : " " + part.record());
  }

  private static String keys(KeyChoice choice) {
    String name = choice.distribution().label();
    return switch (choice.distribution()) {
      case ZIPFIAN, LATEST -> "%s keys (exponent %s)".formatted(name, choice.exponent());
      case HOTSPOT ->
          "%s keys (%s of the operations on %s of the keys)"
              .formatted(name, choice.hotOperations(), choice.hotKeys());
      case EXPONENTIAL ->
          "%s keys (%s within the newest %s)"
              .formatted(name, choice.hotOperations(), choice.hotKeys());
      default -> name + " keys";
    };
  }

  private static String shape(KeyShape shape) {
    return String.format(
        Locale.ROOT, "of %,d bytes, %s", shape.bytes(), shape.hashed() ? "hashed" : "ordered");
  }

  private static String lengths(ValueSizes sizes, String unit) {
    if (!sizes.parts().isEmpty()) {
      return "%s by popularity".formatted(unit);
    }
    if (sizes.min() == sizes.max()) {
      String one = sizes.max() == 1 ? unit.replaceFirst("s$", "") : unit;
      return String.format(Locale.ROOT, "%,d %s", sizes.max(), one);
    }
    String spread =
        sizes.bins().size() > 1 ? "histogram" : sizes.spread().name().toLowerCase(Locale.ROOT);
    String sum = sizes.fields() > 1 ? ", the sum of " + sizes.fields() : "";
    return String.format(
        Locale.ROOT, "%,d to %,d %s (%s%s)", sizes.min(), sizes.max(), unit, spread, sum);
  }
}
