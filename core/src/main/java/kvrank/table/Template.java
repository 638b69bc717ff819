package kvrank.table;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.workload.request.Labelled;

/**
 * A text with placeholders: <code>{name}</code>, or <code>{name:form}</code> with one of {@link
 * Form}. Of {@code [one|other]} the first stands whose placeholders all have a value, and nothing
 * if none has.
 */
public final class Template {

  /** The placeholders that every table has, beside its factors and values. */
  public static final List<String> NAMES =
      List.of("at", "engine", "legend", "operation", "phase", "phase-operation", "ties", "to");

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}:]*)(?::([^{}]*))?}");

  /** A text in brackets, or the text between two of them. */
  private static final Pattern PART = Pattern.compile("\\[([^\\[\\]]*)]|[^\\[\\]]+");

  private Template() {}

  /** Another form of a value. */
  public enum Form implements Labelled {
    /** In capitals. */
    UPPER,
    /** Bytes with their unit: {@code 64 B}, {@code 4 KiB}. */
    SIZE;

    public static List<String> labels() {
      return Arrays.stream(values()).map(Form::label).toList();
    }

    private String of(String value) {
      if (this == UPPER) {
        return value.toUpperCase(Locale.ROOT);
      }
      String digits = value.replace(",", "");
      if (!digits.matches("[0-9]{1,15}")) {
        return value;
      }
      long bytes = Long.parseLong(digits);
      return bytes > 0 && bytes % 1024 == 0 ? bytes / 1024 + " KiB" : bytes + " B";
    }
  }

  /** A placeholder of a text, with its form as written. */
  public record Placeholder(String name, Optional<String> form) {}

  /** Returns the placeholders of {@code text} in order. */
  public static List<Placeholder> placeholders(String text) {
    return PLACEHOLDER
        .matcher(text)
        .results()
        .map(found -> new Placeholder(found.group(1), Optional.ofNullable(found.group(2))))
        .toList();
  }

  /** Returns whether every brace and every bracket of {@code text} has its other half. */
  public static boolean balanced(String text) {
    String rest = PLACEHOLDER.matcher(text).replaceAll("");
    return !rest.contains("{")
        && !rest.contains("}")
        && PART.matcher(rest).replaceAll("").isEmpty();
  }

  /**
   * Returns {@code text} with the values of its placeholders, {@code absent} for those outside of
   * brackets that have none.
   */
  public static String fill(String text, String absent, Function<String, Optional<String>> values) {
    StringBuilder filled = new StringBuilder();
    Matcher parts = PART.matcher(text);
    while (parts.find()) {
      if (parts.group(1) == null) {
        filled.append(filled(parts.group(), Optional.of(absent), values).orElseThrow());
      } else {
        Arrays.stream(parts.group(1).split("\\|", -1))
            .flatMap(each -> filled(each, Optional.empty(), values).stream())
            .findFirst()
            .ifPresent(filled::append);
      }
    }
    return filled.toString();
  }

  private static Optional<String> filled(
      String text, Optional<String> absent, Function<String, Optional<String>> values) {
    StringBuilder filled = new StringBuilder();
    Matcher matcher = PLACEHOLDER.matcher(text);
    while (matcher.find()) {
      Optional<Form> form = Labelled.of(Form.class, matcher.group(2));
      Optional<String> shown =
          values
              .apply(matcher.group(1))
              .map(value -> form.map(found -> found.of(value)).orElse(value))
              .or(() -> absent);
      if (shown.isEmpty()) {
        return Optional.empty();
      }
      matcher.appendReplacement(filled, Matcher.quoteReplacement(shown.get()));
    }
    return Optional.of(matcher.appendTail(filled).toString());
  }
}
