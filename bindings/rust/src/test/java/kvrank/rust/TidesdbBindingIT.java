package kvrank.rust;

import kvrank.testkit.BindingContract;

final class TidesdbBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "tidesdb";
  }

  /** Its log is opened with O_DSYNC, so that it is on the device without a call of its own. */
  @Override
  public int syncsPerInsert() {
    return 0;
  }
}
