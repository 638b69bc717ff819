package kvrank.scenario.read;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import kvrank.input.YamlValue;
import kvrank.workload.TransactionPart;
import kvrank.workload.request.Operation;

/** Reads a transaction: {@code [{prefix-scan: cart}, {read: 3}, {update: cart}]}. */
final class TransactionReader {

  static final String TRANSACTION = Operation.TRANSACTION.label();

  /** Operations that a workload can ask for. */
  static final Set<Operation> ASKED =
      EnumSet.complementOf(EnumSet.of(Operation.FILL, Operation.TRANSACTION));

  /** The largest number of requests of a transaction, which are built ahead. */
  private static final int MOST = 100;

  /** Operations on a record of the user's choice. */
  private static final Set<Operation> OF_ANY_RECORD =
      EnumSet.complementOf(EnumSet.of(Operation.INSERT, Operation.DELETE, Operation.ITERATE));

  private TransactionReader() {}

  /** Returns the parts in the order of the file; none if the value is absent. */
  static List<TransactionPart> read(YamlValue list) {
    List<TransactionPart> parts =
        YamlValue.readAll(
            list.items("needs at least one operation, such as {read: 1}"), TransactionReader::part);
    int requests = parts.stream().mapToInt(TransactionPart::times).sum();
    if (requests > MOST) {
      list.report("has '%d' requests; at most %d are allowed", requests, MOST);
    }
    return parts;
  }

  private static Optional<TransactionPart> part(YamlValue item) {
    item.keys("operation").meant("{%s: 1}"::formatted);
    if (!item.expectMap()) {
      return Optional.empty();
    }
    List<Operation> stated =
        ASKED.stream().filter(operation -> item.get(operation.label()).isPresent()).toList();
    return item.names().size() == 1
        ? stated.stream()
            .findFirst()
            .flatMap(operation -> part(operation, item.get(operation.label())))
        : item.report("must have one operation; write an item for each, in their order");
  }

  private static Optional<TransactionPart> part(Operation operation, YamlValue value) {
    Optional<String> name = value.text();
    if (name.filter(text -> text.matches("[+-]?[0-9].*")).isPresent()) {
      return value
          .integer(1, MOST)
          .map(times -> new TransactionPart(operation, times.intValue(), ""));
    }
    if (name.isPresent() && !OF_ANY_RECORD.contains(operation)) {
      return value.report("'%s' is not a number; this operation has no named record", name.get());
    }
    return value
        .matching(
            "is neither a number of requests nor a name; use letters, digits, '-' and '_'",
            "[A-Za-z][A-Za-z0-9_-]*")
        .map(text -> new TransactionPart(operation, 1, text));
  }
}
