package kvrank.redis;

import java.util.Map;
import kvrank.testkit.BindingContract;

/** Redis with an index, and with it scans. */
final class RedisIndexedBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "redis";
  }

  @Override
  protected Map<String, String> options() {
    return Map.of("index", "lexical");
  }
}
