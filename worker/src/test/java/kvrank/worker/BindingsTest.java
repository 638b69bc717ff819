package kvrank.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import site.ycsb.DB;

class BindingsTest {

  /** A class whose library, say, is not there. */
  static final class Broken {
    static final int SIZE = Integer.parseInt("none");
  }

  private static String failure(Class<?> type) {
    return catchThrowable(() -> new Bindings(type.getName(), new TreeMap<>()).atLeast(1))
        .getMessage();
  }

  @Test
  void aClassThatIsNoBindingIsNamedWithTheCause() {
    assertThat(failure(Broken.class))
        .isEqualTo(
            "binding class kvrank.worker.BindingsTest$Broken cannot be loaded:"
                + " java.lang.NumberFormatException: For input string: \"none\"");
    assertThat(failure(DB.class)).isEqualTo("binding class site.ycsb.DB is abstract");
    assertThat(failure(String.class))
        .isEqualTo("binding class java.lang.String does not extend site.ycsb.DB");
  }
}
