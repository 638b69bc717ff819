package kvrank.scenario.read.ycsb;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.workload.request.Labelled;

/**
 * Properties of YCSB files, and their treatment: the table of {@code docs/reference/ycsb.md}.
 *
 * @param names of YCSB 0.17 or of tools that read the same files; {@code x.*} is for every name
 *     that begins with {@code x.}
 * @param sentence the meaning of these properties to kvrank, in Markdown
 */
record YcsbProperty(List<String> names, Treatment treatment, String sentence) {

  /** What kvrank does with a property. */
  enum Treatment implements Labelled {
    /** Decides the workload or a setting. */
    APPLIED,
    /** Does not change the measured requests, or names a server, which the engine decides. */
    IGNORED,
    /** Changes the requests in a way that kvrank's own do not have. */
    REFUSED
  }

  static final String NAMED_SERVER =
      "A server, or an option of its YCSB binding. The engine of the scenario has its own.";

  private static final Pattern FOREIGN = Pattern.compile("[A-Za-z][\\w-]*+(?:\\.[\\w-]++)++");

  static final List<YcsbProperty> ALL =
      List.of(
          applied(
              "workload",
              "`site.ycsb.workloads.CoreWorkload`, also under `com.yahoo.ycsb` or as `core`, is"
                  + " translated. Any other class is hosted with all properties of the file, and so"
                  + " is this one, for bindings with fields, as the scenario's `class`."),
          applied(
              "readproportion updateproportion insertproportion scanproportion"
                  + " readmodifywriteproportion deleteproportion",
              "The weights of operations, exact to 9 decimals. Their sum, YCSB's defaults included"
                  + " (0.95 reads, 0.05 updates), must be 1: YCSB would divide by it. Deleted"
                  + " records are inserted again, so that their number stays."),
          applied(
              "requestdistribution",
              "`uniform`, `zipfian`, `latest`, `hotspot`, `exponential` or `sequential`. `zipfian`"
                  + " is over the existing records; YCSB's is over 10^10 numbers hashed to them,"
                  + " which is flatter, and `plan` reports it."),
          applied(
              "hotspotdatafraction hotspotopnfraction",
              "`keys.hot-keys`, between 0 and 1, and `keys.hot-operations`, from 0 to 1. Hot keys"
                  + " are scattered in any order of keys; with `ordered`, `plan` reports it."),
          applied(
              "exponential.percentile exponential.frac",
              "`keys.hot-operations` (of 100) and `keys.hot-keys` of `exponential`."),
          applied(
              "zeropadding insertorder",
              "Keys have YCSB's length and order, but digits instead of `user`: 23 bytes, `hashed`;"
                  + " or, with `ordered`, 4 bytes more than `zeropadding`, which is required then."),
          applied(
              "fieldcount fieldlength fieldlengthdistribution minfieldlength fieldlengthhistogram",
              "One value with the length of all fields: `constant`, or a sum of as many `uniform`,"
                  + " `zipfian` or `histogram` draws as there are fields. The histogram's path is"
                  + " relative to the file."),
          applied(
              "readallfields",
              "`true`, as a value is read as a whole. `false` is refused unless `fieldcount` is 1."),
          applied(
              "writeallfields",
              "With `true`, or one field, as YCSB. Otherwise YCSB writes one field; kvrank writes"
                  + " the whole value, and `plan` reports it."),
          applied(
              "minscanlength maxscanlength scanlengthdistribution",
              "`scan.records`: `uniform` or `zipfian` between the two."),
          applied("dataintegrity", "`true` is `verify: values`."),
          applied(
              "recordcount operationcount maxexecutiontime warmuptime threadcount target batch.size",
              "`records`, `operations`, `duration`, `warmup`, `threads`, `rate` and `batch`, unless"
                  + " the scenario, the phase or `--set` states them. 0 is YCSB's default. The"
                  + " load gets the threads, not the rate."),
          applied(
              "insertstart insertcount",
              "0, and all records. kvrank itself divides a load among threads and machines."),
          applied("dotransactions", "`true`. A load is the phase `load`."),
          ignored("db", "The engines of the scenario replace it."),
          ignored(
              "table fieldnameprefix readallfieldsbyname", "Values have no table and no fields."),
          ignored("dropdata", "Every run begins with an empty store."),
          ignored(
              "core_workload_insertion_retry_limit core_workload_insertion_retry_interval"
                  + " core_workload_insertion_keep_going_on_error",
              "A failed insert is counted as an error and not repeated."),
          ignored(
              "exporter exportfile measurementtype measurement.* hdrhistogram.* histogram.*"
                  + " timeseries.* reportlatencyforeacherror latencytrackederrors status status.*"
                  + " label outputstyle silence verbose debug debug.* spin.sleep htrace.* version"
                  + " basicdb.* gbudb.*",
              "How YCSB measures, waits and reports. kvrank does that itself."),
          ignored(
              "hosts port user username password columnfamily clientbuffering writebuffersize"
                  + " durability prefetchmeta batchsize cache consistency clustername config"
                  + " principal keytab",
              NAMED_SERVER),
          refused(
              "timestampkey valuekey timestampinterval timestampunits tagcount tagcardinality"
                  + " tagkeylength tagvaluelength tagpairdelimiter deletedelimiter"
                  + " randomwritetimestamporder randomtimeseriesorder valuetype sparsity"
                  + " delayedseries delayedintervals querytimespan queryrandomtimespan"
                  + " querytimespandelimiter groupbykey groupbyfunction groupbykeys downsamplingkey"
                  + " downsamplingfunction downsamplinginterval test",
              "Belongs to `TimeSeriesWorkload`. Set `workload`, or remove it."),
          refused(
              "url.trace.* url.prefix headers fieldlengthdistfile readzipfconstant"
                  + " readrecordcount insertzipfconstant insertsizezipfconstant insertrecordcount"
                  + " deletezipfconstant deleterecordcount updatezipfconstant updaterecordcount",
              "Belongs to `RestWorkload`. Set `workload`, or remove it."),
          refused(
              "storageages disksize occupancy",
              "Belongs to `ConstantOccupancyWorkload`. Set `workload`, or remove it."),
          refused(
              "field_len_dist", "Not a property of YCSB. Write `fieldlengthdistribution` instead."),
          refused(
              "limit.*",
              "Not a property of YCSB. Write `operationcount`, `maxexecutiontime` or `target`"
                  + " instead."),
          refused(
              "keylength keysize keybytes",
              "Not a property of YCSB. Set `key-bytes` in the scenario, and remove it."),
          refused(
              "zipfianconstant zipfianconst zipfconstant zipfian_const zipfian.*",
              "Not a property of YCSB, whose exponent is 0.99. Write the workload with"
                  + " `keys.exponent` in kvrank's YAML."));

  private static YcsbProperty applied(String names, String sentence) {
    return row(names, Treatment.APPLIED, sentence);
  }

  private static YcsbProperty ignored(String names, String sentence) {
    return row(names, Treatment.IGNORED, sentence);
  }

  private static YcsbProperty refused(String names, String sentence) {
    return row(names, Treatment.REFUSED, sentence);
  }

  private static YcsbProperty row(String names, Treatment treatment, String sentence) {
    return new YcsbProperty(List.of(names.split(" ", -1)), treatment, sentence);
  }

  /** Returns the row of a property; empty for a name that no tool is known to read. */
  static Optional<YcsbProperty> of(String name) {
    return Stream.concat(
            matching(row -> row.names().contains(name)), matching(row -> row.begins(name)))
        .findFirst();
  }

  /** Returns the row with a refused name that is {@code name} without its dots. */
  static Optional<YcsbProperty> dotted(String name) {
    return of(joined(name)).filter(row -> row.treatment() == Treatment.REFUSED);
  }

  /** Returns the names of {@link #meant} that are {@code name} but for dots, or similar to it. */
  static SortedSet<String> meantByDotted(String name) {
    SortedSet<String> names = meant();
    names.removeIf(each -> each.indexOf('.') < 0 && !joined(each).equals(joined(name)));
    return names;
  }

  private static String joined(String name) {
    return name.replaceAll("[._-]", "").toLowerCase(Locale.ROOT);
  }

  private static Stream<YcsbProperty> matching(Predicate<YcsbProperty> condition) {
    return ALL.stream().filter(condition);
  }

  private boolean begins(String name) {
    return names.stream()
        .filter(own -> own.endsWith(".*"))
        .anyMatch(own -> name.startsWith(own.substring(0, own.length() - 1)));
  }

  /** Returns the sentence as a message about the property. */
  String message() {
    return Stream.of(sentence.replace('`', '\'').split("\\.( |$)", -1))
        .filter(part -> !part.isEmpty())
        .map(part -> part.substring(0, 1).toLowerCase(Locale.ROOT) + part.substring(1))
        .collect(Collectors.joining("; "));
  }

  /** Returns whether {@code name} has the form {@code binding.option}. */
  static boolean ofBinding(String name) {
    return FOREIGN.matcher(name).matches();
  }

  /** Returns the names that a misspelt one may mean, sorted: those that change something. */
  static SortedSet<String> meant() {
    return ALL.stream()
        .filter(row -> row.treatment() == Treatment.APPLIED)
        .flatMap(row -> row.names().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
