package kvrank.worker.protocol;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.fact.Facts;

/**
 * Records as text, for the commands and messages between controller and worker and for {@code
 * worker.properties}: one entry {@code NAME=VALUE} for each value in a record, in printable ASCII.
 * Everything else is escaped as in a properties file.
 *
 * <p>The name of a value leads to it through the components of the records, as {@code
 * dataset.keys.bytes} does. A component may be
 *
 * <ul>
 *   <li>a String, a primitive or its box, an enum, a {@link Path} or a {@link Duration}
 *   <li>a record
 *   <li>a sealed interface whose implementations are records: {@code NAME.type} says which one
 *   <li>a {@link List} or an {@link Optional}: {@code NAME} is the number of its elements, {@code
 *       NAME.0} the first of them
 *   <li>a {@link SortedMap}: {@code NAME.KEY} is the value of a key, which is a simple value,
 *       without a dot if the values of the map are not simple
 *   <li>{@link Facts}, as the map that they are
 * </ul>
 */
final class RecordCodec {

  /** A control character and the name, which no other text begins with. */
  private static final String PREFIX = "\u0001kvrank\t";

  private static final String TYPE = "type";

  /** Separators and comment characters of properties files. */
  private static final String SPECIAL = " =:#!";

  private final NavigableMap<String, String> entries;

  private RecordCodec(NavigableMap<String, String> entries) {
    this.entries = entries;
  }

  /** Returns {@code record} as one line of entries separated by tabs, without a line end. */
  static String line(Object record) {
    return PREFIX + String.join("\t", encode(record));
  }

  /** Returns the record of a {@link #line}; empty if {@code line} is other text. */
  static <R> Optional<R> ofLine(Class<R> type, String line) {
    return line.startsWith(PREFIX)
        ? Optional.of(decode(type, List.of(line.substring(PREFIX.length()).split("\t", -1))))
        : Optional.empty();
  }

  /** Returns the entries of {@code record} in the order of its components. */
  static List<String> encode(Object record) {
    Map<String, String> values = new LinkedHashMap<>();
    put("", record, values);
    List<String> entries = new ArrayList<>();
    values.forEach((name, value) -> entries.add(escape(name, SPECIAL) + "=" + escape(value, "")));
    return entries;
  }

  private static void put(String name, Object value, Map<String, String> values) {
    if (value instanceof Record record) {
      put(name, record, values);
    } else if (value instanceof Facts facts) {
      put(name, facts.asMap(), values);
    } else if (value instanceof SortedMap<?, ?> map) {
      map.forEach((key, element) -> put(child(name, text(key)), element, values));
    } else if (value instanceof Optional<?> optional) {
      put(name, optional.map(List::of).orElseGet(List::of), values);
    } else if (value instanceof List<?> list) {
      values.put(name, Integer.toString(list.size()));
      for (int i = 0; i < list.size(); i++) {
        put(child(name, Integer.toString(i)), list.get(i), values);
      }
    } else {
      values.put(name, text(value));
    }
  }

  private static void put(String name, Record record, Map<String, String> values) {
    Class<?> type = record.getClass();
    for (Class<?> implemented : type.getInterfaces()) {
      if (implemented.isSealed()) {
        values.put(child(name, TYPE), type.getSimpleName());
      }
    }
    for (RecordComponent component : type.getRecordComponents()) {
      try {
        component.getAccessor().setAccessible(true);
        put(child(name, component.getName()), component.getAccessor().invoke(record), values);
      } catch (ReflectiveOperationException e) {
        throw new IllegalArgumentException(type + " cannot be encoded", e);
      }
    }
  }

  private static String child(String name, String component) {
    return name.isEmpty() ? component : name + "." + component;
  }

  private static String text(Object value) {
    return value instanceof Enum<?> constant ? label(constant) : value.toString();
  }

  private static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the record with these entries.
   *
   * @param type its class, or the sealed interface that it implements
   */
  static <R> R decode(Class<R> type, Iterable<String> entries) {
    NavigableMap<String, String> values = new TreeMap<>();
    for (String entry : entries) {
      int end = entry.indexOf('=');
      if (end >= 0) {
        values.put(unescape(entry.substring(0, end)), unescape(entry.substring(end + 1)));
      }
    }
    return type.cast(new RecordCodec(values).value("", type));
  }

  private Object value(String name, Type type) {
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      if (generic.getRawType() == SortedMap.class) {
        return map(name, (Class<?>) arguments[0], arguments[1]);
      }
      List<Object> elements = new ArrayList<>();
      for (int i = 0; i < Integer.parseInt(text(name)); i++) {
        elements.add(value(child(name, Integer.toString(i)), arguments[0]));
      }
      return generic.getRawType() == List.class ? elements : elements.stream().findFirst();
    }
    if (type == Facts.class) {
      SortedMap<String, String> facts = new TreeMap<>();
      map(name, String.class, String.class)
          .forEach((fact, value) -> facts.put((String) fact, (String) value));
      return Facts.of(facts);
    }
    Class<?> plain = (Class<?>) type;
    if (plain.isInterface() && plain.isSealed()) {
      return record(name, implementation(plain, text(child(name, TYPE))));
    }
    return plain.isRecord() ? record(name, plain) : parse(text(name), plain);
  }

  private SortedMap<Object, Object> map(String name, Class<?> keys, Type values) {
    boolean simple = values instanceof Class<?> plain && !plain.isRecord() && !plain.isSealed();
    String prefix = child(name, "");
    SortedMap<Object, Object> map = new TreeMap<>();
    for (String entry : entries.tailMap(prefix, true).keySet()) {
      if (!entry.startsWith(prefix)) {
        break;
      }
      int end = simple ? -1 : entry.indexOf('.', prefix.length());
      String key = entry.substring(prefix.length(), end < 0 ? entry.length() : end);
      map.computeIfAbsent(parse(key, keys), any -> value(prefix + key, values));
    }
    return map;
  }

  private static Class<?> implementation(Class<?> protocol, String name) {
    for (Class<?> permitted : protocol.getPermittedSubclasses()) {
      if (permitted.getSimpleName().equals(name)) {
        return permitted;
      }
    }
    throw new IllegalArgumentException("'" + name + "' is not a " + protocol.getSimpleName());
  }

  private Object record(String name, Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      values[i] = value(child(name, components[i].getName()), components[i].getGenericType());
    }
    try {
      Constructor<?> canonical = type.getDeclaredConstructor(types);
      canonical.setAccessible(true);
      return canonical.newInstance(values);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(e.getCause().getMessage(), e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(type + " cannot be decoded", e);
    }
  }

  private String text(String name) {
    String value = entries.get(name);
    if (value == null) {
      throw new IllegalArgumentException("'" + name + "' is missing");
    }
    return value;
  }

  private static Object parse(String text, Class<?> type) {
    if (type == String.class) {
      return text;
    }
    if (type == long.class || type == Long.class) {
      return Long.valueOf(text);
    }
    if (type == int.class || type == Integer.class) {
      return Integer.valueOf(text);
    }
    if (type == double.class || type == Double.class) {
      return Double.valueOf(text);
    }
    if (type == boolean.class || type == Boolean.class) {
      return Boolean.valueOf(text);
    }
    if (type == Path.class) {
      return Path.of(text);
    }
    if (type == Duration.class) {
      return Duration.parse(text);
    }
    for (Object constant : type.isEnum() ? type.getEnumConstants() : new Object[0]) {
      if (label((Enum<?>) constant).equals(text)) {
        return constant;
      }
    }
    throw new IllegalArgumentException("'" + text + "' is not a " + type.getSimpleName());
  }

  /** Escapes characters that are not printable ASCII, a leading blank, and {@code special} ones. */
  private static String escape(String text, String special) {
    StringBuilder escaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean plain = c > ' ' ? c <= '~' && c != '\\' : c == ' ' && i > 0;
      if (plain && special.indexOf(c) < 0) {
        escaped.append(c);
      } else {
        escaped.append("\\u").append(HexFormat.of().toHexDigits(c));
      }
    }
    return escaped.toString();
  }

  private static String unescape(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    StringBuilder plain = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        plain.append((char) Integer.parseInt(text, i + 2, i + 6, 16));
        i += 5;
      } else {
        plain.append(text.charAt(i));
      }
    }
    return plain.toString();
  }
}
