package kvrank.plan;

import java.util.List;
import java.util.SortedMap;
import kvrank.scenario.Fsync;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Setting;
import kvrank.scenario.Shapes;
import kvrank.workload.Dataset;

/**
 * The settings of a whole run.
 *
 * @param fsync the durability that is asked for
 * @param dataset the records that its phases share
 * @param verify whether each value that is read is checked against its key
 */
public record RunSettings(Fsync fsync, Dataset dataset, boolean verify) {

  /** Returns the settings at a factor point. */
  static RunSettings of(SortedMap<Setting, String> point, List<PhaseSpec> phases) {
    return new RunSettings(
        Fsync.of(point.get(Setting.FSYNC)),
        new Dataset(
            Long.parseLong(point.get(Setting.RECORDS)),
            Shapes.keys(phases, point),
            Shapes.values(phases, point)),
        point.get(Setting.VERIFY).equals("values"));
  }
}
