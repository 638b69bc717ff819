package kvrank.rust;

import java.util.Map;
import kvrank.testkit.BindingContract;

final class LibmdbxBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "libmdbx";
  }

  /** With its default, inserts into the small tree at the start write through, without a sync. */
  @Override
  protected Map<String, String> options() {
    return Map.of("write-through-pages", "0");
  }
}
