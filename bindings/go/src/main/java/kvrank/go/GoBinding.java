package kvrank.go;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kvrank.binding.ByteSource;
import kvrank.binding.EngineCounters;
import kvrank.binding.NativeMemory;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import kvrank.binding.embedded.EmbeddedBinding;
import site.ycsb.DBException;

/**
 * An engine that is written in Go and built as a shared library, whose functions are called as
 * native methods. Each operation is one call; keys and values go through memory outside the heap.
 *
 * <p>The property {@code library} names the library; the others are the engine's.
 */
public final class GoBinding extends EmbeddedBinding<GoDatabase> implements EngineCounters {

  private final Arguments arguments = new Arguments();
  private final Results results = new Results();

  @Override
  protected GoDatabase open(Path directory) throws Exception {
    Path library = Path.of(properties().text("library")).toAbsolutePath().normalize();
    GoLibrary.load(library);
    arguments.clear();
    arguments.addSized("dir".getBytes(UTF_8)).addSized(directory.toString().getBytes(UTF_8));
    properties()
        .unread()
        .forEach(
            (name, text) ->
                arguments.addSized(name.getBytes(UTF_8)).addSized(text.getBytes(UTF_8)));
    NativeMemory out = NativeMemory.allocate(Results.LEAST);
    try {
      int result =
          GoLibrary.open(arguments.address(), arguments.length(), out.address(), out.capacity());
      return new GoDatabase(Results.opened(result, out));
    } catch (UnsatisfiedLinkError e) {
      throw new DBException(
          library + " is not an engine for kvrank: it lacks " + e.getMessage(), e);
    }
  }

  @Override
  protected boolean get(byte[] key, ValueBuffer value) throws GoException {
    long address = arguments.clear().add(key).address();
    int database = database().handle();
    NativeMemory out = value.direct(Results.LEAST);
    int length = GoLibrary.get(database, address, key.length, out.address(), out.capacity());
    while (length > out.capacity()) {
      out = value.direct(length);
      length = GoLibrary.get(database, address, key.length, out.address(), out.capacity());
    }
    if (length == GoLibrary.NOT_FOUND) {
      return false;
    }
    Results.check(length, out);
    value.length(length);
    return true;
  }

  @Override
  protected void put(byte[] key, ByteSource value) throws GoException {
    if (value.ttlSeconds() > 0) {
      putAll(List.of(key), List.of(value));
      return;
    }
    int size = value.size();
    long address = arguments.clear().add(key).add(value).address();
    int database = database().handle();
    results.of(
        (out, capacity) ->
            GoLibrary.put(
                database, address, key.length, address + key.length, size, out, capacity));
  }

  @Override
  protected boolean remove(byte[] key) throws GoException {
    long address = arguments.clear().add(key).address();
    int database = database().handle();
    results.of((out, capacity) -> GoLibrary.delete(database, address, key.length, out, capacity));
    return true;
  }

  @Override
  protected void putAll(List<byte[]> keys, List<? extends ByteSource> values) throws GoException {
    arguments.clear();
    for (int i = 0; i < keys.size(); i++) {
      arguments.addSized(keys.get(i)).addSized(values.get(i));
    }
    write();
  }

  @Override
  protected boolean removeAll(List<byte[]> keys) throws GoException {
    arguments.clear();
    for (byte[] key : keys) {
      arguments.addSized(key).addLength(GoLibrary.DELETED);
    }
    write();
    return true;
  }

  private void write() throws GoException {
    int database = database().handle();
    results.of(
        (out, capacity) ->
            GoLibrary.write(database, arguments.address(), arguments.length(), out, capacity));
  }

  @Override
  protected void getAll(List<byte[]> keys, List<ValueBuffer> values) throws GoException {
    arguments.clear();
    keys.forEach(arguments::addSized);
    int database = database().handle();
    ByteBuffer found =
        results.of(
            (out, capacity) ->
                GoLibrary.readAll(
                    database, arguments.address(), arguments.length(), out, capacity));
    for (ValueBuffer value : values) {
      int length = found.getInt();
      if (length != GoLibrary.NOT_FOUND) {
        found.get(value.heap(length), 0, length);
        value.length(length);
      }
    }
  }

  @Override
  protected void scan(byte[] first, Optional<byte[]> end, RecordBuffer records) throws GoException {
    arguments.clear().add(first);
    end.ifPresent(arguments::add);
    long address = arguments.address();
    int endLength = end.map(key -> key.length).orElse(GoLibrary.UNBOUNDED);
    int database = database().handle();
    ByteBuffer found =
        results.of(
            (out, capacity) ->
                GoLibrary.scan(
                    database,
                    address,
                    first.length,
                    address + first.length,
                    endLength,
                    records.limit(),
                    out,
                    capacity));
    ByteBuffer key = found.duplicate();
    ByteBuffer value = found.duplicate();
    while (found.hasRemaining()) {
      records.add(next(found, key), next(found, value));
    }
  }

  /**
   * Returns {@code part} as a view of the next bytes of {@code found}, which begins behind them.
   */
  private static ByteBuffer next(ByteBuffer found, ByteBuffer part) {
    int start = found.position() + Integer.BYTES;
    int end = start + found.getInt();
    found.position(end);
    return part.limit(end).position(start);
  }

  @Override
  protected void addFacts(Map<String, Object> facts) throws GoException {
    int database = database().handle();
    facts.putAll(results.texts((out, capacity) -> GoLibrary.facts(database, out, capacity)));
  }

  @Override
  protected void addReports(Map<String, Object> reports) throws GoException {
    int database = database().handle();
    reports.putAll(results.texts((out, capacity) -> GoLibrary.reports(database, out, capacity)));
  }

  /** Another thread calls this while requests use {@link #results}. */
  @Override
  public void addCounters(Figures figures) throws GoException {
    int database = database().handle();
    new Results()
        .texts((out, capacity) -> GoLibrary.sample(database, out, capacity))
        .forEach(
            (name, text) -> {
              double value = Double.parseDouble(text);
              if (name.startsWith(GoLibrary.TOTAL)) {
                figures.total(name.substring(GoLibrary.TOTAL.length()), value);
              } else {
                figures.gauge(name, value);
              }
            });
  }
}
