package kvrank.binding;

import java.util.Arrays;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The properties of a binding: those under {@code binding.properties} in {@code engine.yaml}, with
 * an engine's options. Each is checked when it is read.
 */
public final class BindingProperties {

  private final Properties properties;
  private final Set<String> read = ConcurrentHashMap.newKeySet();

  /** Copies the properties that {@link site.ycsb.DB#getProperties} returns. */
  public BindingProperties(Properties properties) {
    this.properties = (Properties) properties.clone();
  }

  /**
   * Returns the property {@code name}.
   *
   * @throws PropertyException if it is missing or empty
   */
  public String text(String name) throws PropertyException {
    String value = text(name, "");
    if (value.isEmpty()) {
      throw new PropertyException("the property '" + name + "' is missing");
    }
    return value;
  }

  /** Returns the property {@code name}; empty if it is missing. */
  public Optional<String> optional(String name) {
    return Optional.ofNullable(text(name, null));
  }

  /** Returns the property {@code name}, or {@code otherwise} if it is missing. */
  public String text(String name, String otherwise) {
    read.add(name);
    return properties.getProperty(name, otherwise);
  }

  /**
   * Returns the property {@code name} as a boolean.
   *
   * @throws PropertyException if it is neither {@code true} nor {@code false}
   */
  public boolean flag(String name) throws PropertyException {
    String value = text(name);
    if (!value.equals("true") && !value.equals("false")) {
      throw new PropertyException(
          "the property '" + name + "' is '" + value + "', not true or false");
    }
    return value.equals("true");
  }

  /**
   * Returns the property {@code name} as a number.
   *
   * @throws PropertyException if it is missing, not a number, or not in {@code least} to {@code
   *     most}
   */
  public long number(String name, long least, long most) throws PropertyException {
    String value = text(name);
    long number;
    try {
      number = Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new PropertyException("the property '" + name + "' is not a number: '" + value + "'");
    }
    if (number < least || number > most) {
      String range = most == Long.MAX_VALUE ? least + " or more" : "in " + least + " to " + most;
      throw new PropertyException("the property '" + name + "' is " + value + ", not " + range);
    }
    return number;
  }

  /**
   * Returns the property {@code name} as a number, or {@code otherwise} if it is missing.
   *
   * @throws PropertyException if it is not a number, or not in {@code least} to {@code most}
   */
  public long number(String name, long least, long most, long otherwise) throws PropertyException {
    return text(name, "").isEmpty() ? otherwise : number(name, least, most);
  }

  /**
   * Returns the property {@code name}, or the first of {@code values} if it is missing.
   *
   * @throws PropertyException if it is not one of {@code values}
   */
  public String choice(String name, String... values) throws PropertyException {
    String value = text(name, values[0]);
    if (!Arrays.asList(values).contains(value)) {
      String allButLast = String.join(", ", Arrays.asList(values).subList(0, values.length - 1));
      throw new PropertyException(
          "the property '%s' is '%s', not %s or %s"
              .formatted(name, value, allButLast, values[values.length - 1]));
    }
    return value;
  }

  /**
   * Returns the properties that were not read before, and counts them as read: for an engine that
   * parses its options itself.
   */
  public SortedMap<String, String> unread() {
    SortedMap<String, String> unread = new TreeMap<>();
    for (String name : properties.stringPropertyNames()) {
      if (!read.contains(name)) {
        unread.put(name, text(name, ""));
      }
    }
    return unread;
  }

  /**
   * Checks that every property was read, so that a misspelt name is an error.
   *
   * @throws PropertyException if one was not read
   */
  public void requireKnown() throws PropertyException {
    for (String name : new TreeSet<>(properties.stringPropertyNames())) {
      if (!read.contains(name)) {
        throw new PropertyException(
            "there is no property '%s'; known are %s"
                .formatted(name, String.join(", ", new TreeSet<>(read))));
      }
    }
  }

  /** Returns whether {@code other} has the same properties, read or not. */
  @Override
  public boolean equals(Object other) {
    return other instanceof BindingProperties that && properties.equals(that.properties);
  }

  @Override
  public int hashCode() {
    return properties.hashCode();
  }
}
