package kvrank.sqlite;

import kvrank.testkit.BindingContract;

final class SqliteBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "sqlite";
  }
}
