package kvrank.scenario.read.ycsb;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.input.InputFile;
import kvrank.input.YamlFile;
import kvrank.input.YamlValue;
import kvrank.scenario.Setting;
import kvrank.workload.value.ValueSizes;

/** The lengths of values that a YCSB file states as those of fields. */
final class YcsbFieldLengths {

  private static final Pattern HISTOGRAM =
      Pattern.compile("(BlockSize|\\d{1,9})\\s+(\\d{1,9})\\s*");

  private final PropertyFile file;

  YcsbFieldLengths(PropertyFile file) {
    this.file = file;
  }

  /** Returns the lengths of all {@code fields} of a record together. */
  ValueSizes of(int fields) {
    String kind =
        file.get("fieldlengthdistribution")
            .choice(
                "fieldlengthdistribution",
                Map.of(
                    "constant", "constant",
                    "uniform", "uniform",
                    "zipfian", "zipfian",
                    "histogram", "histogram"))
            .orElse("constant");
    YamlValue stated = file.get("fieldlength");
    long most = Setting.VALUE_BYTES.most() / fields;
    if (kind.equals("histogram")) {
      return histogram(fields);
    }
    Optional<Long> length = stated.integer(1, Setting.VALUE_BYTES.most());
    if (length.filter(bytes -> bytes > most).isPresent()) {
      stated.report(
          "'%d' bytes in each of %d fields are more than the %d MiB of a value",
          length.get(), fields, Setting.VALUE_BYTES.most() >> 20);
    }
    int max = (int) Math.min(most, length.orElse(100L));
    if (kind.equals("constant")) {
      return ValueSizes.fixed(max * fields);
    }
    YamlValue least = file.get("minfieldlength");
    int min = least.integer(1, Setting.VALUE_BYTES.most()).orElse(1L).intValue();
    if (min > max) {
      least.report("'%d' is more than fieldlength, '%d'", min, max);
    }
    return min >= max
        ? ValueSizes.fixed(max * fields)
        : ValueSizes.between(min, max, ValueSizes.Spread.valueOf(upper(kind))).times(fields);
  }

  private static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
  }

  /**
   * Reads a histogram as YCSB does: {@code BlockSize} and a number, then lines of an index and a
   * count; the field's length is one more than the index, times the block size.
   */
  private ValueSizes histogram(int fields) {
    YamlValue stated = file.get("fieldlengthhistogram");
    YamlValue value = stated.or(stated.with("hist.txt"));
    SortedMap<Integer, Integer> counts = new TreeMap<>();
    long block = 0;
    try {
      Path path = file.place().file().resolveSibling(value.text().orElse("hist.txt"));
      for (String line : InputFile.text(path, YamlFile.LARGEST_MEBIBYTES).lines().toList()) {
        Matcher matcher = HISTOGRAM.matcher(line);
        if (!matcher.matches()) {
          throw new IOException("a line is not a number and a count");
        }
        boolean header = matcher.group(1).equals("BlockSize");
        int number = Integer.parseInt(matcher.group(2));
        if (header == (block > 0)) {
          throw new IOException("the first line, and no other, must be BlockSize and a number");
        } else if (header) {
          block = number;
        } else if (number > 0) {
          counts.merge(Integer.valueOf(matcher.group(1)), number, Math::addExact);
        }
      }
    } catch (IOException | InvalidPathException | ArithmeticException e) {
      value.report("%s", "the histogram cannot be read: " + e.getMessage());
      return ValueSizes.fixed(1);
    }
    List<ValueSizes.Bin> bins = new ArrayList<>();
    for (Map.Entry<Integer, Integer> count : counts.entrySet()) {
      long bytes = (count.getKey() + 1L) * block;
      if (bytes > Setting.VALUE_BYTES.most() / fields || count.getValue() > 1_000_000) {
        value.report("the histogram has a length of %d bytes, or its count, too large", bytes);
        return ValueSizes.fixed(1);
      }
      bins.add(new ValueSizes.Bin((int) bytes, (int) bytes, count.getValue()));
    }
    if (bins.isEmpty()) {
      value.report("the histogram has no length with a count above 0");
      return ValueSizes.fixed(1);
    }
    return bins.size() == 1
        ? ValueSizes.fixed(bins.get(0).min() * fields)
        : new ValueSizes(ValueSizes.Spread.UNIFORM, bins).times(fields);
  }
}
