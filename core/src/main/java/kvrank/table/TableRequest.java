package kvrank.table;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Map;

/**
 * A table that a scenario requests.
 *
 * @param stated the name of a table that kvrank comes with, or the maps, lists and texts of another
 *     one: reports may be written where the user's file does not exist
 */
public record TableRequest(@JsonValue Object stated) {

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static TableRequest of(Object stated) {
    return new TableRequest(stated instanceof Map ? stated : String.valueOf(stated));
  }
}
