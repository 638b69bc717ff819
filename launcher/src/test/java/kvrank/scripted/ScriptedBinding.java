package kvrank.scripted;

import java.nio.file.Path;
import java.util.Map;
import kvrank.binding.ByteSource;
import kvrank.binding.EngineCounters;
import kvrank.binding.ValueBuffer;
import kvrank.binding.embedded.EmbeddedBinding;

/** A store whose flushes and compactions follow a script. */
public final class ScriptedBinding extends EmbeddedBinding<ScriptedStore>
    implements EngineCounters {

  @Override
  protected ScriptedStore open(Path directory) throws Exception {
    return new ScriptedStore(directory);
  }

  @Override
  protected boolean get(byte[] key, ValueBuffer value) throws Exception {
    return value.wrap(database().get(key));
  }

  @Override
  protected void put(byte[] key, ByteSource value) throws Exception {
    database().put(key, value.toByteArray());
  }

  @Override
  protected boolean remove(byte[] key) {
    throw new UnsupportedOperationException();
  }

  @Override
  protected void addFacts(Map<String, Object> facts) {
    facts.put("version", 1);
    facts.put("direct", database().direct());
    facts.put("write-buffer-bytes", ScriptedStore.BUFFER_BYTES);
    facts.put("block-cache-bytes", ScriptedStore.CACHE_BYTES);
  }

  @Override
  public void addCounters(Figures figures) {
    figures.total(Figures.STORAGE_READ, (double) database().readBytes());
    figures.total(Figures.STORAGE_WRITTEN, (double) database().writtenBytes());
  }

  @Override
  protected void addReports(Map<String, Object> reports) {
    long pending = database().pendingBytes();
    reports.put("flushes", database().flushes());
    reports.put("pending-bytes", pending);
    reports.put("pending-work", pending > 0 ? 1 : 0);
  }
}
