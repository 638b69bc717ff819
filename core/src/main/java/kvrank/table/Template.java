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
 * A text with placeholders: <code>{name}</code>, or <code>{name:form}</code> with a {@link Form}.
 * {@code [one|other]} stands for the first alternative whose placeholders all have a value, or for
 * nothing.
 */
public final class Template {

  /** The placeholders of every table, in addition to its factors and values. */
  public static final List<String> NAMES =
      List.of("at", "engine", "legend", "operation", "phase", "phase-operation", "ties", "to");

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}:]*)(?::([^{}]*))?}");

  /** A text in brackets, or the text between brackets. */
  private static final Pattern PART = Pattern.compile("\\[([^\\[\\]]*)]|[^\\[\\]]+");

  private Template() {}

  /** A form of a value. */
  public enum Form implements Labelled {
    /** Capitals. */
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
        .map(match -> new Placeholder(match.group(1), Optional.ofNullable(match.group(2))))
        .toList();
  }

  /** Returns whether all braces and brackets of {@code text} are closed and none are nested. */
  public static boolean balanced(String text) {
    String rest = PLACEHOLDER.matcher(text).replaceAll("");
    return !rest.contains("{")
        && !rest.contains("}")
        && PART.matcher(rest).replaceAll("").isEmpty();
  }

  /**
   * Returns {@code text} with the values of its placeholders, and {@code absent} for a placeholder
   * without a value outside of brackets.
   */
  public static String fill(String text, String absent, Function<String, Optional<String>> values) {
    StringBuilder filled = new StringBuilder();
    Matcher parts = PART.matcher(text);
    while (parts.find()) {
      if (parts.group(1) == null) {
        filled.append(filled(parts.group(), Optional.of(absent), values).orElseThrow());
      } else {
        Arrays.stream(parts.group(1).split("\\|", -1))
            .flatMap(option -> filled(option, Optional.empty(), values).stream())
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
              .map(value -> form.map(known -> known.of(value)).orElse(value))
              .or(() -> absent);
      if (shown.isEmpty()) {
        return Optional.empty();
      }
      matcher.appendReplacement(filled, Matcher.quoteReplacement(shown.get()));
    }
    return Optional.of(matcher.appendTail(filled).toString());
  }
}
