package kvrank.caffeine;

import kvrank.testkit.BindingContract;

final class CaffeineBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "caffeine";
  }
}
