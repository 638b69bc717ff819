package kvrank.cheat;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import kvrank.binding.ByteSource;
import kvrank.binding.ValueBuffer;
import kvrank.binding.embedded.EmbeddedBinding;

/** A map with a log in this JVM, which is as honest as the property {@code mode} says. */
public final class CheatBinding extends EmbeddedBinding<CheatLog> {

  @Override
  protected CheatLog open(Path directory) throws Exception {
    String mode = properties().text("mode").toUpperCase(Locale.ROOT).replace('-', '_');
    Path elsewhere = Path.of(properties().text("elsewhere"));
    return CheatLog.open(directory, CheatLog.Mode.valueOf(mode), elsewhere);
  }

  @Override
  protected boolean get(byte[] key, ValueBuffer value) {
    return value.wrap(database().get(key));
  }

  @Override
  protected void put(byte[] key, ByteSource value) throws Exception {
    database().write(key.clone(), value.toByteArray());
  }

  @Override
  protected boolean remove(byte[] key) throws Exception {
    return database().write(key.clone(), null);
  }

  @Override
  protected void addFacts(Map<String, Object> facts) {
    facts.put("version", 1);
  }
}
