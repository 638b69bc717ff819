package kvrank.redis;

import kvrank.testkit.BindingContract;

/** The Redis that the build brings along. */
final class RedisBundledBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "redis";
  }

  @Override
  protected String method() {
    return "bundled";
  }
}
