package kvrank.redis;

import kvrank.testkit.BindingContract;

final class RedisBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "redis";
  }
}
