package kvrank.table;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Map;

/**
 * A table that a scenario asks for.
 *
 * @param stated as a scenario and {@code plan.json} state it: the name of one that kvrank brings,
 *     or, since results are reported where a user's file is not, the maps, lists and texts of one
 */
public record TableRequest(@JsonValue Object stated) {

  /** Returns the request that {@code stated} stands for. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static TableRequest of(Object stated) {
    return new TableRequest(stated instanceof Map ? stated : String.valueOf(stated));
  }
}
