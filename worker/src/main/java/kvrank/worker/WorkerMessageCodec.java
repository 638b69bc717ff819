package kvrank.worker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.workload.Operation;

/**
 * A {@link WorkerMessage} as a line: a prefix, the report's name and its fields, separated by tabs.
 * In a field, everything but printable ASCII is escaped as in Java. A map is its size and its
 * entries.
 */
final class WorkerMessageCodec {

  /** What no other text begins with: a control character and the name. */
  private static final String PREFIX = "\u0001kvrank";

  private final Deque<String> fields;

  private WorkerMessageCodec(List<String> fields) {
    this.fields = new ArrayDeque<>(fields);
  }

  static String encode(WorkerMessage report) {
    List<String> fields = new ArrayList<>();
    if (report instanceof WorkerMessage.Ready ready) {
      fields.add("ready");
      add(fields, ready.facts());
    } else if (report instanceof WorkerMessage.Restored) {
      fields.add("restored");
    } else if (report instanceof WorkerMessage.Measuring measuring) {
      fields.addAll(List.of("measuring", measuring.phase(), Long.toString(measuring.nanos())));
    } else if (report instanceof WorkerMessage.Progress progress) {
      fields.addAll(List.of("progress", progress.phase(), Double.toString(progress.done())));
      fields.add(Long.toString(progress.operations()));
      fields.add(Double.toString(progress.perSecond()));
    } else if (report instanceof WorkerMessage.Finished finished) {
      fields.add("finished");
      add(fields, finished.result());
    } else if (report instanceof WorkerMessage.Looked looked) {
      fields.add("looked");
      add(fields, looked.facts());
    } else if (report instanceof WorkerMessage.Arrived) {
      fields.add("arrived");
    } else if (report instanceof WorkerMessage.Clock clock) {
      fields.addAll(List.of("clock", Long.toString(clock.round())));
      fields.addAll(List.of(Long.toString(clock.epochNanos()), Long.toString(clock.nanos())));
    } else if (report instanceof WorkerMessage.Written written) {
      fields.addAll(List.of("written", written.file(), written.text()));
    } else if (report instanceof WorkerMessage.Failed failed) {
      fields.addAll(List.of("failed", failed.phase(), failed.message()));
    }
    StringBuilder line = new StringBuilder(PREFIX);
    fields.forEach(field -> escape(field, line.append('\t')));
    return line.toString();
  }

  private static void add(List<String> fields, PhaseResult result) {
    fields.add(result.phase());
    fields.add(Long.toString(result.elapsedNanos()));
    fields.add(Long.toString(result.incorrect()));
    add(fields, result.facts());
    fields.add(Integer.toString(result.operations().size()));
    result
        .operations()
        .forEach(
            (operation, count) -> {
              fields.add(operation.label());
              fields.add(Long.toString(count.ok()));
              fields.add(Long.toString(count.notFound()));
              add(fields, count.errors());
            });
  }

  private static void add(List<String> fields, SortedMap<String, ?> map) {
    fields.add(Integer.toString(map.size()));
    map.forEach(
        (key, value) -> {
          fields.add(key);
          fields.add(value.toString());
        });
  }

  static Optional<WorkerMessage> decode(String line) {
    if (!line.startsWith(PREFIX + '\t')) {
      return Optional.empty();
    }
    List<String> fields =
        Arrays.stream(line.substring(PREFIX.length() + 1).split("\t", -1))
            .map(WorkerMessageCodec::unescape)
            .toList();
    return Optional.of(new WorkerMessageCodec(fields).report());
  }

  private WorkerMessage report() {
    String name = next();
    return switch (name) {
      case "ready" -> new WorkerMessage.Ready(facts());
      case "restored" -> new WorkerMessage.Restored();
      case "measuring" -> new WorkerMessage.Measuring(next(), Long.parseLong(next()));
      case "progress" ->
          new WorkerMessage.Progress(
              next(),
              Double.parseDouble(next()),
              Long.parseLong(next()),
              Double.parseDouble(next()));
      case "finished" -> new WorkerMessage.Finished(result());
      case "looked" -> new WorkerMessage.Looked(facts());
      case "arrived" -> new WorkerMessage.Arrived();
      case "clock" ->
          new WorkerMessage.Clock(
              Long.parseLong(next()), Long.parseLong(next()), Long.parseLong(next()));
      case "written" -> new WorkerMessage.Written(next(), next());
      case "failed" -> new WorkerMessage.Failed(next(), next());
      default -> throw new IllegalArgumentException("unknown report '" + name + "'");
    };
  }

  private PhaseResult result() {
    String phase = next();
    long elapsedNanos = Long.parseLong(next());
    long incorrect = Long.parseLong(next());
    SortedMap<String, String> facts = facts();
    SortedMap<Operation, OperationCount> operations = new TreeMap<>();
    for (int left = Integer.parseInt(next()); left > 0; left--) {
      Operation operation = Operation.of(next()).orElseThrow(IllegalArgumentException::new);
      long ok = Long.parseLong(next());
      long notFound = Long.parseLong(next());
      SortedMap<String, Long> errors = new TreeMap<>();
      facts().forEach((status, count) -> errors.put(status, Long.valueOf(count)));
      operations.put(operation, new OperationCount(ok, notFound, errors));
    }
    return new PhaseResult(phase, elapsedNanos, operations, incorrect, facts);
  }

  private SortedMap<String, String> facts() {
    SortedMap<String, String> facts = new TreeMap<>();
    for (int left = Integer.parseInt(next()); left > 0; left--) {
      facts.put(next(), next());
    }
    return facts;
  }

  private String next() {
    if (fields.isEmpty()) {
      throw new IllegalArgumentException("the report ends too early");
    }
    return fields.removeFirst();
  }

  private static void escape(String field, StringBuilder line) {
    for (int i = 0; i < field.length(); i++) {
      char c = field.charAt(i);
      if (c < ' ' || c > '~' || c == '\\') {
        line.append(String.format("\\u%04x", (int) c));
      } else {
        line.append(c);
      }
    }
  }

  private static String unescape(String field) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < field.length(); i++) {
      char c = field.charAt(i);
      if (c == '\\') {
        text.append((char) Integer.parseInt(field, i + 2, i + 6, 16));
        i += 5;
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }
}
