package kvrank;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.AnnotatedElement;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Tests that would disturb each other, as they change or examine the whole machine: one of them
 * runs at a time, also in the other JVMs that the build starts.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OneAtATime.FileLock.class)
public @interface OneAtATime {

  /** Processes that an ended kvrank left: each removal ends those of all. */
  String LEFTOVERS = "leftovers";

  /** What the page cache has not written: each {@code sync} writes that of all. */
  String UNSYNCED = "unsynced";

  /** Returns the name of the shared thing; tests with the same name run one at a time. */
  String value();

  /** Holds the lock of a file while a test runs. */
  final class FileLock implements BeforeEachCallback {

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
      for (AnnotatedElement test :
          List.of(context.getRequiredTestClass(), context.getRequiredTestMethod())) {
        OneAtATime shared = test.getAnnotation(OneAtATime.class);
        if (shared != null) {
          Path file = Path.of("target", shared.value() + ".lock");
          FileChannel channel =
              FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          // JUnit closes it after the test, which releases the lock.
          context.getStore(Namespace.create(FileLock.class)).put(shared.value(), channel);
          channel.lock();
        }
      }
    }
  }
}
