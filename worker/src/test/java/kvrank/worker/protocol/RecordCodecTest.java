package kvrank.worker.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import kvrank.fact.Facts;
import kvrank.workload.OperationMix;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Commands and messages of every type, with random components. */
class RecordCodecTest {

  private static final int EACH = 100;

  /** Separators, escapes, and what is not in ASCII or not a character. */
  private static final String NASTY =
      "\t\n\r\0\u001b\\u0041 =:#!.,@\u007f\u00e9\u4e2d\ud83d\ude00\ud83d\u2028";

  private final SplittableRandom random = new SplittableRandom(42);

  @TestFactory
  Stream<DynamicTest> everyTypeComesBackAsItWas() {
    return Stream.of(WorkerCommand.class, WorkerMessage.class)
        .flatMap(
            protocol ->
                Stream.of(protocol.getPermittedSubclasses())
                    .map(
                        type ->
                            DynamicTest.dynamicTest(
                                type.getSimpleName(), () -> comesBackAsItWas(protocol, type))));
  }

  private void comesBackAsItWas(Class<?> protocol, Class<?> type) throws Exception {
    for (int i = 0; i < EACH; i++) {
      Object original = any(type);
      String line = RecordCodec.line(original);
      assertThat(line).startsWith("\u0001kvrank\ttype=" + type.getSimpleName());
      assertThat(line.substring(1).chars()).allMatch(c -> c == '\t' || (c >= ' ' && c <= '~'));
      assertThat((Object) RecordCodec.ofLine(protocol, line).orElseThrow()).isEqualTo(original);
    }
  }

  /** The entries of a spec are its file. */
  @Test
  void isReadByWhoeverReadsProperties() throws Exception {
    for (int i = 0; i < EACH; i++) {
      Properties expected = new Properties();
      SortedMap<String, String> texts = new TreeMap<>();
      for (int entry = 0; entry < 5; entry++) {
        texts.put(text(), text());
      }
      texts.forEach((name, text) -> expected.setProperty("facts." + name, text));
      expected.setProperty("type", "Looked");

      Properties read = new Properties();
      String file =
          String.join("\n", RecordCodec.encode(new WorkerMessage.Looked(Facts.of(texts))));
      read.load(new StringReader(file));
      assertThat(read).isEqualTo(expected);
    }
  }

  @Test
  void refusesWhatIsNotThereOrIsNothingOfTheKind() {
    assertRefused("'phase' is missing", "type=Start");
    assertRefused("'type' is missing", "phase=get");
    assertRefused("'Ready' is not a WorkerCommand", "type=Ready");
    assertRefused("For input string: \"soon\"", "type=Go", "nanos=soon");
    assertThatThrownBy(
            () ->
                RecordCodec.decode(
                    OperationMix.class, List.of("weights.sing=1", "drain=false", "fill=false")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'sing' is not a Operation");
  }

  private static final int DEEPEST = 5;

  private int depth;

  private static void assertRefused(String message, String... entries) {
    assertThatThrownBy(() -> RecordCodec.decode(WorkerCommand.class, List.of(entries)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  private Object any(Type type) throws ReflectiveOperationException {
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      if (generic.getRawType() == SortedMap.class) {
        SortedMap<Object, Object> map = new TreeMap<>();
        for (int left = random.nextInt(4); left > 0; left--) {
          Object key = any(arguments[0]);
          boolean simple = arguments[1] == String.class || arguments[1] == Long.class;
          map.put(
              key instanceof String text && !simple ? text.replace('.', '-') : key,
              any(arguments[1]));
        }
        return map;
      }
      List<Object> list = new ArrayList<>();
      // A type may contain lists of itself.
      for (int left = depth > DEEPEST ? 0 : random.nextInt(4); left > 0; left--) {
        list.add(any(arguments[0]));
      }
      return generic.getRawType() == Optional.class ? list.stream().findFirst() : list;
    }
    Class<?> plain = (Class<?>) type;
    if (plain.isEnum()) {
      return one(plain.getEnumConstants());
    }
    if (plain == Facts.class) {
      return Facts.of(Map.of("y" + text(), text(), "x" + text(), text()));
    }
    if (plain.isSealed()) {
      return any(one(plain.getPermittedSubclasses()));
    }
    return plain.isRecord() ? record(plain) : simple(plain);
  }

  private <T> T one(T[] all) {
    return all[random.nextInt(all.length)];
  }

  private Object record(Class<?> type) throws ReflectiveOperationException {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    depth++;
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      values[i] = any(components[i].getGenericType());
    }
    depth--;
    Constructor<?> canonical = type.getDeclaredConstructor(types);
    return canonical.newInstance(values);
  }

  private Object simple(Class<?> type) {
    if (type == String.class) {
      return text();
    }
    if (type == Path.class) {
      return Path.of("/a b=c", Integer.toString(random.nextInt()));
    }
    if (type == Duration.class) {
      return Duration.ofSeconds(random.nextInt(), random.nextInt(1_000_000_000));
    }
    if (type == boolean.class) {
      return random.nextBoolean();
    }
    if (type == int.class || type == Integer.class) {
      return random.nextInt();
    }
    if (type == long.class || type == Long.class) {
      return one(new Long[] {Long.MIN_VALUE, -1L, 0L, Long.MAX_VALUE, random.nextLong()});
    }
    if (type == double.class) {
      return Double.longBitsToDouble(random.nextLong());
    }
    throw new IllegalArgumentException("nothing makes a " + type);
  }

  /** Empty, short, or longer than texts about an engine may be. */
  private String text() {
    StringBuilder text = new StringBuilder();
    int length = one(new Integer[] {0, 1, 5, 20, 3_000});
    while (text.length() < length) {
      text.append(
          random.nextBoolean()
              ? NASTY.charAt(random.nextInt(NASTY.length()))
              : (char) random.nextInt('a', 'z'));
    }
    return text.toString();
  }
}
