package kvrank.xodus;

import kvrank.testkit.BindingContract;

final class XodusBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "xodus";
  }
}
