package kvrank.scenario.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import kvrank.input.InvalidInputException;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Scenario;
import kvrank.scenario.Setting;
import kvrank.scenario.WorkloadSummary;
import kvrank.workload.HostedWorkload;
import kvrank.workload.Workload;
import kvrank.workload.key.KeyShape;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Operation;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YcsbFileReaderTest {

  private static final String SCENARIO =
      """
      question: Which one?
      engines: [redis, rocksdb]
      fsync: off
      phases: [{workload: {ycsb: file}, as: y}]
      """;

  @TempDir private Path folder;
  private ScenarioReader reader;

  @BeforeEach
  void home() throws IOException {
    reader = new ScenarioReader(TestHome.in(folder));
  }

  private Scenario read(String scenario, String file, String... properties) throws Exception {
    Files.writeString(folder.resolve("x.yaml"), scenario, UTF_8);
    Files.writeString(folder.resolve("file"), file, UTF_8);
    return reader.read(folder.resolve("x.yaml"), List.of(), List.of(), List.of(properties));
  }

  private PhaseSpec phase(String file, String... properties) throws Exception {
    return read(SCENARIO, file, properties).phases().get(1);
  }

  private Workload workload(String file, String... properties) throws Exception {
    return phase(file, properties).workload();
  }

  private List<String> problems(String file, String... properties) {
    InvalidInputException e =
        catchThrowableOfType(InvalidInputException.class, () -> workload(file, properties));
    return e.problems().stream()
        .map(problem -> problem.oneLine().replace(folder + "/", ""))
        .toList();
  }

  @Test
  void smallProportionsAreExact() throws Exception {
    assertThat(workload("readproportion=0.9996\nupdateproportion=0.0004\n").mix().weights())
        .isEqualTo(Map.of(Operation.READ, 2499, Operation.UPDATE, 1));
    assertThat(workload("readproportion=0.999999999\nupdateproportion=1e-9\n").mix().weights())
        .isEqualTo(Map.of(Operation.READ, 999_999_999, Operation.UPDATE, 1));
  }

  @Test
  void deletesAreDone() throws Exception {
    Workload workload =
        workload("readproportion=0.5\nupdateproportion=0.2\ndeleteproportion=0.3\n");
    assertThat(workload.mix().weights())
        .isEqualTo(Map.of(Operation.READ, 5, Operation.UPDATE, 2, Operation.DELETE, 3));
    assertThat(workload.notes())
        .contains("deleted records are inserted again, so that their number stays");
  }

  @Test
  void proportionsThatDoNotAddUpAreNamed() {
    assertThat(problems("insertproportion=0.5\nreadproportion=0.5\n"))
        .containsExactly(
            "file:2:1: readproportion: proportions add up to '1.05', not to 1: readproportion 0.5,"
                + " insertproportion 0.5, updateproportion 0.05 (YCSB's default); YCSB would divide"
                + " by the sum; state all of them, in the file or with -p");
    assertThat(problems("readproportion=0\nupdateproportion=0\n"))
        .containsExactly("file:1:1: readproportion: every proportion is 0");
  }

  @Test
  void unknownPropertiesAreProblems() {
    assertThat(
            problems(
                """
                # a comment
                readpropotion = 0.2
                  updateproportion : 0.8
                readproportion=0.2
                exponental.frac=0.5
                batchreadproportion=0.1
                keylength=8
                sparsity=0.1
                zipfian.constant=1.2
                read.proportion=0.2
                key.length=8
                limit.ops=100
                redis.timeout=100
                """))
        .containsExactly(
            "file:2:1: readpropotion: unknown property 'readpropotion'; did you mean"
                + " 'readproportion'?",
            "file:5:1: exponental.frac: unknown property 'exponental.frac'; did you mean"
                + " 'exponential.frac'?",
            "file:6:1: batchreadproportion: unknown property 'batchreadproportion'; remove it, or see"
                + " docs/reference/ycsb.md for the known ones",
            "file:7:1: keylength: not a property of YCSB; set 'key-bytes' in the scenario, and"
                + " remove it",
            "file:8:1: sparsity: belongs to 'TimeSeriesWorkload'; set 'workload', or remove it",
            "file:9:1: zipfian.constant: not a property of YCSB, whose exponent is 0.99; write the"
                + " workload with 'keys.exponent' in kvrank's YAML",
            "file:10:1: read.proportion: unknown property 'read.proportion'; did you mean"
                + " 'readproportion'?",
            "file:11:1: key.length: not a property of YCSB; set 'key-bytes' in the scenario, and"
                + " remove it",
            "file:12:1: limit.ops: not a property of YCSB; write 'operationcount',"
                + " 'maxexecutiontime' or 'target' instead");
  }

  @Test
  void whatKvrankCannotDoIsRefused() {
    assertThat(
            problems(
                """
                readallfields=false
                insertstart=10
                insertcount=5
                recordcount=100
                dotransactions=false
                insertorder=ordered
                readproportion=0.12345678912
                hotspotdatafraction=0
                requestdistribution=hotspot
                scanlengthdistribution=constant
                workload=site.ycsb.workloads.CoreWorkload
                target=100
                target=200
                """))
        .containsExactly(
            "file:1:1: readallfields: 'false' reads one of 10 fields, and kvrank whole values; set"
                + " readallfields=true, or fieldcount=1, or, for a binding with fields, state"
                + " 'class: site.ycsb.workloads.CoreWorkload' in the scenario",
            "file:2:1: insertstart: '10' skips records; kvrank loads all, with 'machines' on several"
                + " hosts",
            "file:3:1: insertcount: '5' is not recordcount; kvrank loads all records, with"
                + " 'machines' on several hosts",
            "file:5:1: dotransactions: 'false' makes it a load; the scenario's phase 'load' is one,"
                + " remove it",
            "file:6:1: insertorder: ordered keys without padding differ in length and are not in the"
                + " order of numbers; set the digits, for example with -p zeropadding=12",
            "file:7:1: readproportion: '0.12345678912' has more than 9 decimals; round it",
            "file:8:1: hotspotdatafraction: '0' is out of range; it must be greater than 0 and less"
                + " than 1, or the distribution 'uniform'",
            "file:10:1: scanlengthdistribution: unknown scanlengthdistribution 'constant'; valid:"
                + " uniform, zipfian",
            "file:13:1: target: '200' replaces '100' on line 12; keep one of the two");
  }

  @Test
  void keysHaveTheLengthAndOrderOfYcsb() throws Exception {
    assertThat(workload("").keyShape()).contains(KeyShape.hashed(23));
    assertThat(workload("zeropadding=30").keyShape()).contains(KeyShape.hashed(34));
    assertThat(workload("zeropadding=12\ninsertorder=ordered\n").keyShape())
        .contains(new KeyShape(16, 100));
  }

  @Test
  void valuesHaveTheLengthOfAllFields() throws Exception {
    assertThat(workload("fieldlength=2000000\n").valueShape())
        .contains(ValueShape.fixed(20_000_000));
    assertThat(
            workload("fieldcount=3\nfieldlengthdistribution=zipfian\nminfieldlength=5\n")
                .valueShape()
                .orElseThrow()
                .sizes())
        .isEqualTo(ValueSizes.between(5, 100, ValueSizes.Spread.ZIPFIAN).times(3));
    assertThat(workload("fieldlengthdistribution=uniform\nminfieldlength=100\n").valueShape())
        .contains(ValueShape.fixed(1_000));
    assertThat(workload("fieldlengthdistribution=zipfian\nfieldlength=1\n").valueShape())
        .contains(ValueShape.fixed(10));
    Files.writeString(folder.resolve("sizes.txt"), "BlockSize\t10\n0\t1\n9\t3\n20 0\n", UTF_8);
    assertThat(
            workload(
                    """
                    fieldcount=2
                    fieldlengthdistribution=histogram
                    fieldlengthhistogram=sizes.txt
                    """)
                .valueShape()
                .orElseThrow()
                .sizes())
        .isEqualTo(
            new ValueSizes(
                    ValueSizes.Spread.UNIFORM,
                    List.of(new ValueSizes.Bin(10, 10, 1), new ValueSizes.Bin(100, 100, 3)))
                .times(2));
    assertThat(problems("fieldlengthdistribution=histogram\n"))
        .singleElement()
        .asString()
        .contains("fieldlengthhistogram: the histogram cannot be read");
  }

  @Test
  void anUpdateOfOneFieldIsNoted() throws Exception {
    String note =
        "an update writes the whole value, but in YCSB one of 10 fields, as writeallfields is"
            + " false";
    assertThat(workload("").notes()).contains(note);
    assertThat(workload("writeallfields=true\n").notes()).doesNotContain(note);
    assertThat(workload("readproportion=1\nupdateproportion=0\n").notes()).doesNotContain(note);
  }

  @Test
  void theZipfianOfYcsbIsNotedAsFlatter() throws Exception {
    String note =
        "'zipfian' is over the existing records, but in YCSB over 10^10 numbers hashed to them: of"
            + " 1,000 records, the hottest gets 12.9 % of the requests, and 3.8 % in YCSB";
    assertThat(workload("requestdistribution=zipfian\n").notes()).contains(note);
    assertThat(workload("requestdistribution=latest\n").notes()).doesNotContain(note);
  }

  /** YCSB's hot set is the first records, side by side unless their keys are hashed. */
  @Test
  void theHotSpotOfOrderedKeysIsNotedAsScattered() throws Exception {
    String note =
        "'hotspot' has hot records anywhere in the order of keys, but in YCSB, with"
            + " insertorder=ordered, the first ones";
    String hot = "requestdistribution=hotspot\n";
    assertThat(workload(hot + "insertorder=ordered\nzeropadding=12\n").notes()).contains(note);
    assertThat(workload(hot).notes()).doesNotContain(note);
  }

  @Test
  void distributionsHaveTheirParameters() throws Exception {
    assertThat(workload("requestdistribution=exponential\nexponential.frac=0.5\n").mix().keys())
        .isEqualTo(new KeyChoice(Distribution.EXPONENTIAL, 0.99, 0.5, 0.95));
    assertThat(
            workload(
                    """
                    requestdistribution=exponential
                    exponential.percentile=80
                    """)
                .mix()
                .keys())
        .isEqualTo(new KeyChoice(Distribution.EXPONENTIAL, 0.99, 0.8571428571, 0.8));
    assertThat(workload("requestdistribution=hotspot\nhotspotopnfraction=1\n").mix().keys())
        .isEqualTo(new KeyChoice(Distribution.HOTSPOT, 0.99, 0.2, 1));
    Workload scans =
        workload(
            """
            readproportion=0
            updateproportion=0
            scanproportion=1
            minscanlength=5
            maxscanlength=50
            scanlengthdistribution=zipfian
            """);
    assertThat(scans.mix().scanRecords())
        .isEqualTo(ValueSizes.between(5, 50, ValueSizes.Spread.ZIPFIAN));
    assertThat(WorkloadSummary.of(scans))
        .isEqualTo(
            "100 % range-scan; uniform keys of 23 bytes, hashed; values of 1,000 bytes; scans of 5"
                + " to 50 records (zipfian)");
  }

  @Test
  void countsOfTheFileAreSettingsUnlessOthersAreStated() throws Exception {
    String file =
        """
        recordcount=5000
        operationcount=700
        threadcount=4
        target=300
        dataintegrity=true
        warmuptime=3
        """;
    Scenario scenario = read(SCENARIO, file);
    assertThat(scenario.factors())
        .containsEntry(Setting.RECORDS, List.of("5000"))
        .containsEntry(Setting.VERIFY, List.of("values"));
    assertThat(scenario.phases().get(0).settings()).isEqualTo(Map.of(Setting.THREADS, "4"));
    assertThat(scenario.phases().get(1).settings())
        .isEqualTo(
            Map.of(
                Setting.THREADS, "4",
                Setting.RATE, "300",
                Setting.WARMUP, "3s",
                Setting.OPERATIONS, "700"));
    assertThat(scenario.phases().get(1).workload().notes())
        .contains(
            "applied: recordcount=5000, threadcount=4, target=300, warmuptime=3,"
                + " operationcount=700, dataintegrity=true");
    Scenario other =
        read(
            SCENARIO.replace("as: y", "as: y, threads: 2")
                + "records: 9000\nmeasure: {duration: 5s}\n",
            file);
    assertThat(other.factors()).containsEntry(Setting.RECORDS, List.of("9000"));
    assertThat(other.phases().get(1).settings())
        .containsEntry(Setting.THREADS, "2")
        .doesNotContainKey(Setting.OPERATIONS);
    assertThat(other.phases().get(1).workload().notes())
        .contains(
            "replaced by the scenario's settings: recordcount=5000, threadcount=4,"
                + " operationcount=700");
  }

  @Test
  void aLoadHasTheThreadsOfTheFileUnlessItStatesOthers() throws Exception {
    String file = "threadcount=16\n";
    String phases = "phases: [load, ";
    assertThat(load(SCENARIO.replace("phases: [", phases), file))
        .isEqualTo(Map.of(Setting.THREADS, "16"));
    String own = "phases: [{workload: load, threads: 3}, ";
    assertThat(load(SCENARIO.replace("phases: [", own), file))
        .isEqualTo(Map.of(Setting.THREADS, "3"));
    assertThat(load(SCENARIO.replace("phases: [", phases) + "threads: 2\n", file)).isEmpty();
  }

  private Map<Setting, String> load(String scenario, String file) throws Exception {
    return read(scenario, file).phases().get(0).settings();
  }

  @Test
  void oneOfCountAndTimeLimitsAPhase() throws Exception {
    assertThat(problems("operationcount=7\nmaxexecutiontime=9\n"))
        .containsExactly(
            "file:2:1: maxexecutiontime: operationcount also limits the phase; keep one, for example"
                + " with -p operationcount=0, or state 'duration' in the scenario");
    assertThat(phase("operationcount=7\nmaxexecutiontime=9\n", "operationcount=0").settings())
        .isEqualTo(Map.of(Setting.DURATION, "9s", Setting.OPERATIONS, ""));
  }

  @Test
  void theCommandLineReplacesProperties() throws Exception {
    assertThat(
            workload(
                    "readproportion=0.5\nupdateproportion=0.5",
                    "readproportion=0.4",
                    "updateproportion=0.6")
                .mix()
                .weights())
        .isEqualTo(Map.of(Operation.READ, 2, Operation.UPDATE, 3));
    assertThat(problems("", "redproportion=1", "x", "fieldcount=0"))
        .containsExactly(
            "-p: a text is not of the form KEY=VALUE",
            "-p: redproportion: unknown property 'redproportion'; did you mean 'readproportion'?",
            "-p: fieldcount: '0' is too small; it must be at least 1");
    InvalidInputException e =
        catchThrowableOfType(
            InvalidInputException.class,
            () -> read(SCENARIO.replace("{ycsb: file}", "get"), "", "fieldcount=1"));
    assertThat(e.problems())
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem.oneLine())
                    .isEqualTo(
                        "-p: has no effect, as no phase has a YCSB file; use --set"
                            + " for kvrank's settings"));
  }

  @Test
  void serversAndMeasurementsAreIgnoredByName() throws Exception {
    assertThat(workload("redis.host=10.0.0.7\nexporter=a.B\nstatus.interval=1\ntable=t\n").notes())
        .contains("ignored: redis.host, exporter, status.interval, table");
  }

  /** So that bindings with fields have those of the file. */
  @Test
  void theScenarioMayAskForTheClassOfTheFile() throws Exception {
    String file = "recordcount=50\nfieldcount=3\nreadallfields=false\n";
    String core = "site.ycsb.workloads.CoreWorkload";
    for (String name : List.of(core, "com.yahoo.ycsb.workloads.CoreWorkload")) {
      String scenario = SCENARIO.replace("ycsb: file", "ycsb: file, class: " + name);
      Scenario read = read(scenario, file);
      Workload workload = read.phases().get(1).workload();
      assertThat(workload.name()).isEqualTo("file");
      assertThat(workload.hosted())
          .contains(
              new HostedWorkload(
                  core,
                  new TreeMap<>(
                      Map.of(
                          "workload", core,
                          "recordcount", "50",
                          "fieldcount", "3",
                          "readallfields", "false")),
                  List.of()));
      assertThat(read.factors()).containsEntry(Setting.RECORDS, List.of("50"));
    }
    assertThat(problems(file)).singleElement().asString().contains("reads one of 3 fields");
    InvalidInputException none =
        catchThrowableOfType(
            InvalidInputException.class,
            () -> read(SCENARIO.replace("ycsb: file", "ycsb: file, class: a.B"), file));
    assertThat(none.problems())
        .singleElement()
        .extracting(problem -> problem.oneLine().replace(folder + "/", ""))
        .isEqualTo(
            "x.yaml:4:41: phases[0].workload.class: class 'a.B' is neither YCSB's nor in"
                + " 'classpath'; add its jar or folder there");
  }

  @Test
  void classesOfYcsbHaveTheirCurrentNames() throws Exception {
    for (String name :
        List.of(
            "core", "com.yahoo.ycsb.workloads.CoreWorkload", "site.ycsb.workloads.CoreWorkload")) {
      assertThat(workload("workload=" + name).hosted()).isEmpty();
    }
    assertThat(
            workload("workload=com.yahoo.ycsb.workloads.TimeSeriesWorkload\nsparsity=0.1")
                .hosted()
                .orElseThrow()
                .className())
        .isEqualTo("site.ycsb.workloads.TimeSeriesWorkload");
    String hint =
        "kvrank's bindings store one value per record, and answer BAD_REQUEST without fieldcount 1";
    String occupancy = "workload=site.ycsb.workloads.ConstantOccupancyWorkload\n";
    assertThat(workload(occupancy).notes()).contains(hint);
    assertThat(workload(occupancy + "fieldcount=1").notes()).doesNotContain(hint);
    assertThat(problems("workload=com.yahoo.ycsb.workloads.CoreWorkloads"))
        .containsExactly(
            "file:1:1: workload: unknown class of YCSB 'site.ycsb.workloads.CoreWorkloads'; did"
                + " you mean 'site.ycsb.workloads.CoreWorkload'?");
    assertThat(problems("workload=com.example.CoreWorkload"))
        .containsExactly(
            "file:1:1: workload: class 'com.example.CoreWorkload' is neither YCSB's nor in"
                + " 'classpath'; add its jar or folder there");
    assertThat(problems("workload=site.ycsb.workloads.TimeSeriesWorkload\nsparsty=0.1"))
        .containsExactly(
            "file:2:1: sparsty: unknown property 'sparsty'; remove it, or see"
                + " docs/reference/ycsb.md for the known ones");
  }
}
