package kvrank.report.file;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;

/** The fields of a JSON object in order. A number that is not finite is null: JSON has none. */
final class Fields {

  @JsonValue private final Map<String, Object> values = new LinkedHashMap<>();

  Fields add(String name, Object value) {
    values.put(name, value instanceof Double number && !Double.isFinite(number) ? null : value);
    return this;
  }

  /** Adds the options of an engine that are factors, if there are any. */
  Fields options(Map<String, String> options) {
    return options.isEmpty() ? this : add("options", options);
  }
}
