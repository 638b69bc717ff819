package kvrank.memcached;

import kvrank.testkit.BindingContract;

final class MemcachedBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "memcached";
  }
}
