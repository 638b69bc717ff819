package kvrank.chronicle;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import kvrank.binding.embedded.MapBinding;
import net.openhft.chronicle.map.ChronicleMap;
import site.ycsb.DBException;

/**
 * Chronicle Map in a file that is mapped into this JVM's memory. It is made for a number of records
 * of a size, the properties {@code entries}, {@code key-bytes} and {@code value-bytes}, and grows
 * to {@code bloat} times that. It has no call for several records: a batch is one after the other.
 */
public final class ChronicleMapBinding extends MapBinding<ChronicleMap<byte[], byte[]>> {

  @Override
  protected ChronicleMap<byte[], byte[]> open(Path directory) throws IOException, DBException {
    return ChronicleMap.of(byte[].class, byte[].class)
        .name("records")
        .averageKeySize(properties().number("key-bytes", 1, Integer.MAX_VALUE))
        .averageValueSize(properties().number("value-bytes", 1, Integer.MAX_VALUE))
        .entries(properties().number("entries", 1, Long.MAX_VALUE))
        .maxBloatFactor(properties().number("bloat", 1, 1000))
        .putReturnsNull(true)
        .createPersistedTo(directory.resolve("records").toFile());
  }

  @Override
  protected Map<byte[], byte[]> records() {
    return database();
  }

  /** The map copies what it is given. */
  @Override
  protected byte[] stored(byte[] key) {
    return key;
  }

  @Override
  protected void addFacts(Map<String, Object> facts) throws Exception {
    facts.put("version", versionOf(ChronicleMap.class));
    facts.put("entries", properties().number("entries", 1, Long.MAX_VALUE));
    facts.put("segments", database().segments());
  }

  @Override
  protected void addReports(Map<String, Object> reports) {
    // Its free space is a count over the whole file, which a cold phase would have read then.
    reports.put("off-heap-bytes", database().offHeapMemoryUsed());
    reports.put("resizes-left", database().remainingAutoResizes());
  }
}
