package kvrank.scenario.read.ycsb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import kvrank.Wording;
import kvrank.input.InvalidInputException;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Scenario;
import kvrank.scenario.Setting;
import kvrank.scenario.WorkloadSummary;
import kvrank.scenario.read.ScenarioReader;
import kvrank.scenario.read.TestHome;
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
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class YcsbFileReaderTest {

  @RegisterExtension final Wording wording = new Wording();

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

  private boolean hasNote(String part, String file) throws Exception {
    return workload(file).notes().stream().anyMatch(note -> note.contains(part));
  }

  private List<String> problems(String file, String... properties) {
    InvalidInputException e =
        catchThrowableOfType(InvalidInputException.class, () -> workload(file, properties));
    return messages(e);
  }

  private List<String> messages(InvalidInputException e) {
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
    wording.check(workload.notes());
  }

  @Test
  void proportionsThatDoNotAddUpAreNamed() {
    wording.check(problems("insertproportion=0.5\nreadproportion=0.5\n"));
    wording.check(problems("readproportion=0\nupdateproportion=0\n"));
  }

  @Test
  void unknownPropertiesAreProblems() {
    wording.check(
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
                """));
  }

  @Test
  void whatKvrankCannotDoIsRefused() {
    wording.check(
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
                """));
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
    assertThat(hasNote("writes the whole value", "")).isTrue();
    assertThat(hasNote("writes the whole value", "writeallfields=true\n")).isFalse();
    assertThat(hasNote("writes the whole value", "readproportion=1\nupdateproportion=0\n"))
        .isFalse();
    wording.check(workload("").notes());
  }

  @Test
  void theZipfianOfYcsbIsNotedAsFlatter() throws Exception {
    assertThat(hasNote("hashed to them", "requestdistribution=zipfian\n")).isTrue();
    assertThat(hasNote("hashed to them", "requestdistribution=latest\n")).isFalse();
    wording.check(workload("requestdistribution=zipfian\n").notes());
  }

  /** YCSB's hot set is the first records, side by side unless their keys are hashed. */
  @Test
  void theHotSpotOfOrderedKeysIsNotedAsScattered() throws Exception {
    String hot = "requestdistribution=hotspot\n";
    String ordered = hot + "insertorder=ordered\nzeropadding=12\n";
    assertThat(hasNote("has hot records anywhere", ordered)).isTrue();
    assertThat(hasNote("has hot records anywhere", hot)).isFalse();
    wording.check(workload(ordered).notes());
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
    wording.check(WorkloadSummary.of(scans));
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
    wording.check(scenario.phases().get(1).workload().notes());
    Scenario other =
        read(
            SCENARIO.replace("as: y", "as: y, threads: 2")
                + "records: 9000\nmeasure: {duration: 5s}\n",
            file);
    assertThat(other.factors()).containsEntry(Setting.RECORDS, List.of("9000"));
    assertThat(other.phases().get(1).settings())
        .containsEntry(Setting.THREADS, "2")
        .doesNotContainKey(Setting.OPERATIONS);
    wording.check(other.phases().get(1).workload().notes());
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
    wording.check(problems("operationcount=7\nmaxexecutiontime=9\n"));
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
    wording.check(problems("", "redproportion=1", "x", "fieldcount=0"));
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
    wording.check(messages(none));
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
    wording.check(problems("workload=com.yahoo.ycsb.workloads.CoreWorkloads"));
    wording.check(problems("workload=com.example.CoreWorkload"));
    wording.check(problems("workload=site.ycsb.workloads.TimeSeriesWorkload\nsparsty=0.1"));
  }
}
