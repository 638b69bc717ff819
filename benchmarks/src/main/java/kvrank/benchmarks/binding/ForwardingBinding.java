package kvrank.benchmarks.binding;

import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import kvrank.binding.ByteSource;
import kvrank.binding.KeyValueBinding;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import site.ycsb.DBException;
import site.ycsb.Status;

/** Forwards calls to another binding, so that subclasses can observe them. */
abstract class ForwardingBinding extends KeyValueBinding {

  /** Prefix of properties that are not the other binding's. */
  static final String OWN = "forwarding.";

  private static final String CLASS = OWN + "class";

  private KeyValueBinding measured;

  /** Returns the properties for measuring {@code binding} with its own {@code properties}. */
  public static Map<String, String> properties(String binding, Map<String, String> properties) {
    Map<String, String> all = new TreeMap<>(properties);
    all.put(CLASS, binding);
    return all;
  }

  @Override
  public void init() throws DBException {
    try {
      measured =
          Class.forName(getProperties().getProperty(CLASS))
              .asSubclass(KeyValueBinding.class)
              .getConstructor()
              .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new DBException(e);
    }
    Properties properties = new Properties();
    properties.putAll(getProperties());
    properties.stringPropertyNames().stream()
        .filter(name -> name.startsWith(OWN))
        .forEach(properties::remove);
    measured.setProperties(properties);
    measured.init();
  }

  /** Is called before each call of the other binding. */
  abstract void count();

  @Override
  public void cleanup() throws DBException {
    measured.cleanup();
  }

  @Override
  public Status read(byte[] key, ValueBuffer value) {
    count();
    return measured.read(key, value);
  }

  @Override
  public Status scan(byte[] start, int limit, RecordBuffer records) {
    count();
    return measured.scan(start, limit, records);
  }

  @Override
  public Status update(byte[] key, ByteSource value) {
    count();
    return measured.update(key, value);
  }

  @Override
  public Status insert(byte[] key, ByteSource value) {
    count();
    return measured.insert(key, value);
  }

  @Override
  public Status delete(byte[] key) {
    count();
    return measured.delete(key);
  }
}
