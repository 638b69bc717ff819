package kvrank.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import kvrank.failure.Cause;
import kvrank.worker.protocol.WorkerException;
import org.junit.jupiter.api.Test;
import site.ycsb.DB;
import site.ycsb.DBException;

class BindingsTest {

  /** A class whose library, for example, is missing. */
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

  /** Waits in {@code init}, except in the first instance, for another one that does. */
  public static final class Meeting extends MemoryBinding {
    static final CyclicBarrier BOTH = new CyclicBarrier(2);
    static final AtomicInteger CREATED = new AtomicInteger();

    @Override
    public void init() throws DBException {
      try {
        if (CREATED.getAndIncrement() > 0) {
          BOTH.await(5, TimeUnit.MINUTES);
        }
      } catch (Exception e) {
        throw new DBException("no one else", e);
      }
    }
  }

  @Test
  void instancesAreCreatedByThreadsThatLiveAtTheSameTime() throws Exception {
    var bindings = new Bindings(Meeting.class.getName(), new TreeMap<>());
    assertThat(bindings.atLeast(3)).hasSize(3).doesNotHaveDuplicates();
  }

  /** Its third instance cannot be initialised. */
  public static final class Third extends MemoryBinding {
    static final AtomicInteger CREATED = new AtomicInteger();
    static final AtomicInteger CLOSED = new AtomicInteger();

    @Override
    public void init() throws DBException {
      if (CREATED.incrementAndGet() == 3) {
        throw new DBException("too many");
      }
    }

    @Override
    public void cleanup() {
      CLOSED.incrementAndGet();
    }
  }

  @Test
  void whatWasCreatedBesideAFailureIsClosed() throws Exception {
    var bindings = new Bindings(Third.class.getName(), new TreeMap<>());
    assertThatThrownBy(() -> bindings.atLeast(5))
        .isInstanceOfSatisfying(
            WorkerException.class,
            failed -> assertThat(failed.failureCause()).isEqualTo(Cause.ENGINE))
        .hasMessage("too many");
    bindings.close();
    assertThat(Third.CLOSED).hasValue(4);
  }
}
