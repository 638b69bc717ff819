package kvrank.worker;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import kvrank.binding.ByteSource;
import kvrank.binding.ValueBuffer;
import site.ycsb.Status;

/** Digests what each client asks, in order. */
public final class RecordingBinding extends MemoryBinding {

  private static final Map<String, Collection<String>> DIGESTS = new ConcurrentHashMap<>();

  private final MessageDigest digest;

  public RecordingBinding() throws NoSuchAlgorithmException {
    digest = MessageDigest.getInstance("SHA-256");
  }

  /** Returns the digests of the clients of that store, in no order. */
  static Collection<String> digests(String store) {
    return DIGESTS.computeIfAbsent(store, any -> new ConcurrentLinkedQueue<>());
  }

  private void record(char operation, byte[] key, byte[] value) {
    digest.update((byte) operation);
    digest.update(key);
    digest.update(value);
  }

  @Override
  public Status read(byte[] key, ValueBuffer value) {
    record('r', key, new byte[0]);
    return super.read(key, value);
  }

  @Override
  public Status insert(byte[] key, ByteSource value) {
    record('i', key, value.toByteArray());
    return super.insert(key, value);
  }

  @Override
  public Status delete(byte[] key) {
    record('d', key, new byte[0]);
    return super.delete(key);
  }

  @Override
  public void cleanup() {
    digests(getProperties().getProperty("store")).add(HexFormat.of().formatHex(digest.digest()));
  }
}
