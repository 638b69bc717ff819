package kvrank;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Long texts of strangers, in time that does not grow with their square, and within the stack. */
class PatternsTest {

  private static final int LENGTH = 20_000;

  /** How often a pattern may look at each character. */
  private static final int LOOKS = 200;

  /** A text repeats one of these. */
  private static final List<String> PARTS =
      Stream.concat(
              "xX7 \t-.,:/@=\"'([{|\\é".chars().mapToObj(Character::toString),
              Stream.of(
                  "a.", "a-", "a+", "a_", "a:", "a/", "a ", "a@", "a=", "a, ", "a://", "/a", "1."))
          .toList();

  /** Packages whose patterns search in texts, instead of matching a whole one that is short. */
  private static final Pattern SEARCHING =
      Pattern.compile("kvrank\\.(results\\.pack\\.PrivateTexts|input\\.Redaction)\\..*");

  /** A text that counts the looks at its characters. */
  private static final class Counted implements CharSequence {

    private final String text;
    private int looks;

    Counted(String text) {
      this.text = text;
    }

    @Override
    public char charAt(int index) {
      looks++;
      if (looks > LOOKS * LENGTH) {
        throw new IllegalStateException("it takes long");
      }
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  @Test
  void noTextTakesLong() throws Exception {
    SortedSet<String> problems = new TreeSet<>();
    List<JavaField> fields =
        new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("kvrank")
                .stream()
                .flatMap(type -> type.getFields().stream())
                .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
                .toList();
    int tried = 0;
    for (JavaField field : fields) {
      String name = field.getFullName();
      for (Pattern pattern : patterns(field.reflect())) {
        tried++;
        problem(pattern, Matcher::matches).ifPresent(text -> problems.add(name + text));
        if (SEARCHING.matcher(name).matches()) {
          problem(pattern, found -> found.results().count() > 0)
              .ifPresent(text -> problems.add(name + text));
        }
      }
    }
    assertThat(tried).isGreaterThan(50);
    assertThat(problems).isEmpty();
  }

  /** Returns a text that takes too long or too much of the stack. */
  private static Optional<String> problem(Pattern pattern, Predicate<Matcher> use) {
    for (String part : PARTS) {
      try {
        Counted text = new Counted(part.repeat(LENGTH / part.length()) + "\u0001");
        assertThat(use.test(pattern.matcher(text))).isIn(true, false);
      } catch (IllegalStateException | StackOverflowError e) {
        return Optional.of(": '%s…': %s".formatted(part, e));
      }
    }
    return Optional.empty();
  }

  private static List<Pattern> patterns(Field field) throws IllegalAccessException {
    if (field.getType() != Pattern.class && !Collection.class.isAssignableFrom(field.getType())) {
      return List.of();
    }
    field.setAccessible(true);
    Object value = field.get(null);
    return (value instanceof Collection<?> several ? several.stream() : Stream.of(value))
        .filter(Pattern.class::isInstance)
        .map(Pattern.class::cast)
        .toList();
  }
}
