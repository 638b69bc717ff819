package kvrank.binding;

import java.util.Arrays;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** A binding's properties, each read as what it has to be. */
public final class BindingProperties {

  private final Properties properties;
  private final Set<String> asked = ConcurrentHashMap.newKeySet();

  /** Those of {@link site.ycsb.DB#getProperties}. */
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

  /** Returns the property {@code name}, if there is one. */
  public Optional<String> optional(String name) {
    asked.add(name);
    return Optional.ofNullable(properties.getProperty(name));
  }

  /** Returns the property {@code name}, or {@code otherwise} if it is missing. */
  public String text(String name, String otherwise) {
    asked.add(name);
    return properties.getProperty(name, otherwise);
  }

  /**
   * Returns whether the property {@code name} is {@code true}.
   *
   * @throws PropertyException if it is not {@code false} either
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
   * @throws PropertyException if it is missing, no number, or not in {@code least} to {@code most}
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
   * @throws PropertyException if it is no number, or not in {@code least} to {@code most}
   */
  public long number(String name, long least, long most, long otherwise) throws PropertyException {
    return text(name, "").isEmpty() ? otherwise : number(name, least, most);
  }

  /**
   * Returns the property {@code name}, the first of {@code values} if it is missing.
   *
   * @throws PropertyException if it is none of {@code values}
   */
  public String choice(String name, String... values) throws PropertyException {
    String value = text(name, values[0]);
    if (!Arrays.asList(values).contains(value)) {
      String all = String.join(", ", Arrays.asList(values).subList(0, values.length - 1));
      throw new PropertyException(
          "the property '%s' is '%s', not %s or %s"
              .formatted(name, value, all, values[values.length - 1]));
    }
    return value;
  }

  /** Returns those that were not asked for, for an engine that reads them itself. */
  public SortedMap<String, String> others() {
    SortedMap<String, String> others = new TreeMap<>();
    for (String name : properties.stringPropertyNames()) {
      if (!asked.contains(name)) {
        others.put(name, text(name, ""));
      }
    }
    return others;
  }

  /**
   * Makes sure that each was asked for.
   *
   * @throws PropertyException if one was not: nobody would miss what it is to say
   */
  public void requireKnown() throws PropertyException {
    SortedSet<String> known = new TreeSet<>(asked);
    for (String name : new TreeSet<>(properties.stringPropertyNames())) {
      if (!known.contains(name)) {
        throw new PropertyException(
            "there is no property '%s'; known are %s".formatted(name, String.join(", ", known)));
      }
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BindingProperties that && properties.equals(that.properties);
  }

  @Override
  public int hashCode() {
    return properties.hashCode();
  }
}
