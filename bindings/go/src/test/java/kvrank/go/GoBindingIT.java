package kvrank.go;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import kvrank.binding.ByteSource;
import kvrank.binding.PropertyException;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.DBException;
import site.ycsb.Status;

/** What a library that does nothing, or fails, is in this JVM. */
final class GoBindingIT {

  private static final byte[] KEY = {1};

  private static Path library;

  @TempDir private Path folder;

  @BeforeAll
  static void findLibrary() throws IOException {
    try (Stream<Path> built = Files.walk(Path.of("target/native"))) {
      List<Path> found = built.filter(file -> file.endsWith("noop.so")).toList();
      if (found.isEmpty()) {
        String reason = "SKIPPED: the build made no library of Go: see target/native";
        assertThat(System.getenv().getOrDefault("KVRANK_REQUIRE_ENGINES", ""))
            .as(reason)
            .doesNotContain("map");
        System.out.println(reason);
        abort(reason);
      }
      library = found.get(0).toAbsolutePath();
    }
  }

  private GoBinding open(String fault) throws DBException {
    return open(fault, library);
  }

  private GoBinding open(String fault, Path file) throws DBException {
    return open(properties(fault, file));
  }

  private Properties properties(String fault, Path file) {
    Properties properties = new Properties();
    properties.setProperty("dir", folder.resolve(fault).toString());
    properties.setProperty("library", file.toString());
    properties.setProperty("fault", fault);
    return properties;
  }

  private static GoBinding open(Properties properties) throws DBException {
    GoBinding binding = new GoBinding();
    binding.setProperties(properties);
    binding.init();
    return binding;
  }

  private static Status put(GoBinding binding) {
    return binding.insert(KEY, ByteSource.of(new byte[100]));
  }

  @Test
  void whatFailsIsAnErrorOfItsOperation() throws Exception {
    for (String fault : List.of("error", "panic", "nil")) {
      GoBinding binding = open(fault);
      for (int i = 0; i < 100; i++) {
        assertThat(put(binding)).isEqualTo(Status.ERROR);
        assertThat(binding.read(KEY, new ValueBuffer())).isEqualTo(Status.OK);
      }
      binding.cleanup();
    }
    GoBinding good = open("none");
    assertThat(put(good)).isEqualTo(Status.OK);
    good.cleanup();
  }

  @Test
  void theLibrarysOwnReasonIsTold() throws Exception {
    GoBinding binding = open("panic");
    assertThatThrownBy(() -> binding.put(KEY, ByteSource.of(KEY))).hasMessage("panic: deliberate");
    binding.cleanup();
    assertThatThrownBy(() -> open("fault"))
        .isInstanceOf(PropertyException.class)
        .hasMessageContaining("the property 'fault' is 'fault', not one of none, error, panic");
    Properties more = properties("none", library);
    more.setProperty("flt", "none");
    assertThatThrownBy(() -> open(more))
        .isInstanceOf(PropertyException.class)
        .hasMessageContaining("there is no property 'flt'; known are fault");
    assertThatThrownBy(() -> new GoDatabase(1_000).close())
        .isInstanceOf(GoException.class)
        .hasMessageContaining("index out of range");
  }

  @Test
  void anEngineWithoutOrderDoesNotScan() throws Exception {
    GoBinding binding = open("none");
    assertThat(binding.scan(KEY, 10, new RecordBuffer())).isEqualTo(Status.NOT_IMPLEMENTED);
    binding.cleanup();
  }

  @Test
  void aLibraryThatCannotBeLoadedIsSaidSo() throws Exception {
    open("none").cleanup();
    Path other = Files.writeString(folder.resolve("other.so"), "no library");
    assertThatThrownBy(() -> open("other", other)).hasMessageContaining("this JVM has");
    Path none = folder.resolve("none.so");
    assertThatThrownBy(() -> GoLibrary.load(none)).hasMessageContaining("this JVM has");
  }

  /** Both runtimes use signals: the JVM for null checks, stack limits and its safepoints. */
  @Test
  void bothRuntimesKeepTheirSignals() throws Exception {
    AtomicBoolean stopped = new AtomicBoolean();
    ExecutorService executor = Executors.newFixedThreadPool(4);
    List<Future<Void>> calls = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      GoBinding binding = open(i % 2 == 0 ? "none" : "nil");
      calls.add(
          executor.submit(
              () -> {
                while (!stopped.get()) {
                  put(binding);
                }
                binding.cleanup();
                return null;
              }));
    }
    for (int i = 0; i < 200; i++) {
      assertThatThrownBy(() -> length(null)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> endless(0)).isInstanceOf(StackOverflowError.class);
      if (i % 20 == 0) {
        System.gc();
      }
    }
    stopped.set(true);
    for (Future<Void> call : calls) {
      call.get(5, TimeUnit.MINUTES);
    }
    executor.shutdown();
  }

  private static int length(String text) {
    return text.length();
  }

  private static int endless(int depth) {
    return depth < 0 ? 0 : endless(depth + 1) + 1;
  }
}
