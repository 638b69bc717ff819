package kvrank.redis;

import kvrank.testkit.BindingContract;

final class Redis32BitBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "redis-32bit";
  }
}
