package kvrank.je;

import kvrank.testkit.BindingContract;

final class JeBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "berkeleydb-je";
  }
}
