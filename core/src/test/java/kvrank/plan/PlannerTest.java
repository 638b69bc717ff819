package kvrank.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import kvrank.Wording;
import kvrank.engine.Capability;
import kvrank.engine.EngineDefinition;
import kvrank.engine.EngineDefinition.FsyncLevel;
import kvrank.engine.EngineDefinition.OptionalCapability;
import kvrank.engine.EngineDefinition.RecordLimits;
import kvrank.engine.EngineDefinitionBuilder;
import kvrank.engine.Fsync;
import kvrank.engine.ProvisionMethod;
import kvrank.scenario.CrashTest;
import kvrank.scenario.EngineRow;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.EngineSpec.ServerChoice;
import kvrank.scenario.GroupSpec;
import kvrank.scenario.Isolation;
import kvrank.scenario.Medium;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Repetitions;
import kvrank.scenario.Scenario;
import kvrank.scenario.Setting;
import kvrank.scenario.Sweep;
import kvrank.scenario.read.ScenarioReader;
import kvrank.scenario.read.TestHome;
import kvrank.stats.Tables;
import kvrank.stats.infer.PairwiseComparisons;
import kvrank.workload.ClientGroup;
import kvrank.workload.OperationMix;
import kvrank.workload.Workload;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Operation;
import kvrank.workload.value.Ttl;
import kvrank.workload.value.ValueSizes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PlannerTest {

  @RegisterExtension final Wording wording = new Wording();

  private static final Set<Capability> PLAIN =
      EnumSet.of(
          Capability.READ,
          Capability.INSERT,
          Capability.UPDATE,
          Capability.DELETE,
          Capability.BATCH);

  private static final FsyncLevel NOTHING = FsyncLevel.UNCHANGED;

  private static final Repetitions REPEATED = Repetitions.fixed(7);

  private final PhaseSpec load = phase("load", true, Map.of(Operation.INSERT, 1));
  private final PhaseSpec get = phase("get", false, Map.of(Operation.READ, 1));
  private final PhaseSpec scan = phase("scan", false, Map.of(Operation.PREFIX_SCAN, 1));

  @Test
  void everyEngineRunsAtEveryFactorPointOncePerRepetition() {
    Plan plan =
        Planner.plan(
            scenario(
                List.of(engine("a", PLAIN), engine("b", PLAIN)),
                List.of(load, get),
                Map.of(Setting.THREADS, List.of("1", "8"), Setting.FSYNC, List.of("off", "on"))));

    assertThat(plan.runs()).hasSize(2 * 2 * 2 * 3).extracting(RunSpec::id).doesNotHaveDuplicates();
    assertThat(plan.runs())
        .extracting(RunSpec::id)
        .contains("a.fsync-on.threads-8.r1", "b.fsync-off.threads-1.r3");
    for (int repetition = 0; repetition < 3; repetition++) {
      List<RunSpec> block = plan.runs().subList(repetition * 8, repetition * 8 + 8);
      assertThat(block).extracting(run -> run.key().repetition()).containsOnly(repetition + 1);
      assertThat(block)
          .extracting(run -> run.engine().label() + run.key().factors())
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void optionsThatAreFactorsMakeRowsOfOneComparisonGroup() {
    EngineSpec one = engine("a", PLAIN);
    EngineRow row = new EngineRow("a", new TreeMap<>(Map.of("io-threads", "2/4")));
    EngineSpec other =
        new EngineSpec(
            row,
            one.definition(),
            row.options(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    Plan plan = Planner.plan(scenario(List.of(one, other), List.of(load, get), Map.of()));

    assertThat(plan.runs()).hasSize(6);
    assertThat(plan.runs())
        .extracting(run -> run.key().factors())
        .containsOnly(plan.runs().get(0).key().factors());
    assertThat(plan.runs())
        .filteredOn(run -> run.key().engine().equals("a io-threads=2/4"))
        .hasSize(3)
        .allMatch(run -> run.id().matches("a[.]io-threads-2_4-[0-9a-f]{8}[.]r[1-3]"))
        .allMatch(run -> run.key().options().equals(Map.of("io-threads", "2/4")));
  }

  @Test
  void eachExecutionHasABalancedOrderOfItsOwn() {
    Scenario scenario = scenario(engines("abcd"), List.of(load, get), Map.of()).with(REPEATED);

    assertThat(orders(Planner.plan(scenario.ordered(7))))
        .isEqualTo(orders(Planner.plan(scenario.ordered(7))))
        .isEqualTo(orders(Planner.plan(scenario.ordered(7).ordered(8))))
        .isNotEqualTo(orders(Planner.plan(scenario.ordered(8))));
    assertThat(seeds(Planner.plan(scenario.ordered(7))))
        .as("operations do not depend on the order")
        .isEqualTo(seeds(Planner.plan(scenario.ordered(8))));
    for (String order : orders(Planner.plan(scenario))) {
      assertThat(order.split("")).containsExactlyInAnyOrder("a", "b", "c", "d");
    }
  }

  @Test
  void ofTwoEnginesEitherIsFirstOnceInTwoRepetitions() {
    Scenario scenario = scenario(engines("ab"), List.of(load, get), Map.of()).with(REPEATED);
    Set<List<String>> orders = new HashSet<>();
    for (long seed = 0; seed < 20; seed++) {
      List<String> order = orders(Planner.plan(scenario.ordered(seed)));
      orders.add(order.subList(0, 2));
      orders.add(order.subList(2, 4));
    }
    assertThat(orders).containsExactlyInAnyOrder(List.of("ab", "ba"), List.of("ba", "ab"));
  }

  /** Also of a subset, which adaptive repetitions measure. */
  @Test
  void ofTwoEnginesAtTheSamePointEachIsFirstEquallyOften() {
    Scenario scenario =
        scenario(
                engines("abcdefg"),
                List.of(load, get),
                Map.of(Setting.THREADS, List.of("1", "8", "16")))
            .with(REPEATED);
    List<String> orders = orders(Planner.plan(scenario));
    for (int repetitions = 1; repetitions <= 7; repetitions++) {
      int mostApart = repetitions % 2 * 3;
      for (char one = 'a'; one < 'g'; one++) {
        for (char other = (char) (one + 1); other <= 'g'; other++) {
          int ahead = 0;
          for (String order : orders.subList(0, 3 * repetitions)) {
            ahead += order.indexOf(one) < order.indexOf(other) ? 1 : -1;
          }
          assertThat(Math.abs(ahead)).as("%c, %c", one, other).isLessThanOrEqualTo(mostApart);
        }
      }
    }
  }

  @Test
  void enginesThatAreNotMeasuredDoNotUnbalanceTheOthers() {
    Scenario scenario = scenario(engines("abcd"), List.of(load, get), Map.of()).with(REPEATED);
    Plan plan = Planner.plan(scenario).without(Set.of("b", "c"));

    assertThat(plan.runs()).containsExactlyInAnyOrderElementsOf(Planner.plan(scenario).runs());
    List<String> orders = orders(plan);
    assertThat(orders).allMatch(order -> order.endsWith("bc"));
    assertThat(orders.get(1)).isNotEqualTo(orders.get(0)).isEqualTo(orders.get(3));
  }

  /** With a shuffle drawn from seed 42, every execution measured ba once and ab six times. */
  @Test
  void anEffectOfThePositionDoesNotSeparateEqualEngines() {
    Scenario scenario = scenario(engines("ab"), List.of(load, get), Map.of()).with(REPEATED);
    SplittableRandom random = new SplittableRandom(20261126);
    int executions = 400;
    int separated = 0;
    for (int execution = 0; execution < executions; execution++) {
      List<String> orders = orders(Planner.plan(scenario.ordered(execution)));
      double[][] logs = new double[2][7];
      for (int block = 0; block < 7; block++) {
        for (int position = 0; position < 2; position++) {
          int engine = orders.get(block).charAt(position) - 'a';
          logs[engine][block] = 0.02 * position + 0.01 * random.nextGaussian();
        }
      }
      separated += Tables.anySeparated(PairwiseComparisons.of(Tables.ofLogs(logs))) ? 1 : 0;
    }
    assertThat(separated / (double) executions).isLessThan(0.05);
  }

  @Test
  void operationsOfARepetitionAreTheSameForEveryEngineAndFactorPoint() {
    Plan plan =
        Planner.plan(
            scenario(
                List.of(engine("a", PLAIN), engine("b", PLAIN)),
                List.of(load, get),
                Map.of(Setting.THREADS, List.of("1", "8"))));

    Map<Integer, Set<Long>> seeds =
        plan.runs().stream()
            .collect(
                Collectors.groupingBy(
                    run -> run.key().repetition(),
                    Collectors.mapping(run -> run.key().seed(), Collectors.toSet())));
    assertThat(seeds.values()).allSatisfy(each -> assertThat(each).hasSize(1));
    assertThat(seeds.values().stream().flatMap(Set::stream)).doesNotHaveDuplicates();
  }

  @Test
  void aSharedServerDecidesTheKeysOfEveryEngine() {
    EngineSpec own = engine("a", PLAIN);
    EngineSpec shared = external(own, true);

    assertThat(Planner.plan(scenario(List.of(own), List.of(load, get), Map.of())).runs())
        .allMatch(run -> run.dataset().keys().prefix().isEmpty());
    assertThat(Planner.plan(scenario(List.of(own, shared), List.of(load, get), Map.of())).runs())
        .extracting(run -> run.dataset().keys().prefix())
        .allMatch(prefix -> prefix.matches("kvrank:[0-9a-f]{8}:"))
        .containsOnly(
            Planner.plan(scenario(List.of(shared), List.of(load), Map.of()))
                .runs()
                .get(0)
                .dataset()
                .keys()
                .prefix());
  }

  @Test
  void phaseThatAnEngineCannotDoIsLeftOutOfItsRunsAlone() {
    Set<Capability> all = EnumSet.allOf(Capability.class);
    Plan plan =
        Planner.plan(
            scenario(
                List.of(engine("plain", PLAIN), engine("able", all)),
                List.of(load, get, scan),
                Map.of()));

    for (RunSpec run : plan.runs()) {
      assertThat(run.unsupported()).isEmpty();
      if (run.engine().label().equals("plain")) {
        assertThat(run.phases().get(2).unsupported()).hasValue("plain has no prefix-scan");
        assertThat(run.supportedPhases()).extracting(PlannedPhase::spec).containsExactly(load, get);
      } else {
        assertThat(run.supportedPhases()).isEqualTo(run.phases());
      }
    }
  }

  @Test
  void anOptionThatAddsTheCapabilityIsNamed() {
    OptionalCapability rule =
        new OptionalCapability(
            "index", "lexical", Set.of(Capability.PREFIX_SCAN, Capability.RANGE_SCAN));
    EngineSpec plain =
        EngineSpec.of(
            new EngineDefinitionBuilder(engine("plain", PLAIN).definition())
                .optional(List.of(rule))
                .build());
    RunSpec run =
        Planner.plan(scenario(List.of(plain), List.of(load, scan), Map.of())).runs().get(0);
    wording.check(run.phases().get(1).unsupported().orElseThrow());
  }

  @Test
  void recordsThatAnEngineCannotStoreRefuseTheRun() {
    EngineSpec small =
        EngineSpec.of(
            new EngineDefinitionBuilder(engine("small", PLAIN).definition())
                .limits(new RecordLimits(250, 1_000, Optional.empty()))
                .build());
    assertThat(unsupported(small, "250", "1000")).isEmpty();
    wording.check(unsupported(small, "251", "1000").orElseThrow());
    wording.check(unsupported(small, "250", "1001").orElseThrow());
  }

  /** The bounds are memcached 1.6.18's own: it stores the longest value and refuses one more. */
  @Test
  void aSettingMayLimitRecords() throws Exception {
    Path file = TestHome.PROJECT.resolve("bindings/memcached/engine.yaml");
    EngineDefinition memcached = new ScenarioReader(TestHome.PROJECT).readEngine(file);
    EngineSpec mebibyte =
        new EngineSpec(
            "memcached", memcached, new TreeMap<>(Map.of("max-item-size", "1M")), Optional.empty());
    assertThat(unsupported(mebibyte, "16", "1048501")).isEmpty();
    wording.check(unsupported(mebibyte, "16", "1048502").orElseThrow());
    assertThat(unsupported(mebibyte, "17", "1048501")).isPresent();
    assertThat(unsupported(EngineSpec.of(memcached), "16", "1048502")).isEmpty();
    assertThat(unsupported(EngineSpec.of(memcached), "16", "524288", Setting.MAXMEMORY, "64MiB"))
        .hasValueSatisfying(reason -> assertThat(reason).contains("'max-item-size: 512k'"));
    EngineSpec bytes =
        new EngineSpec(
            "memcached",
            memcached,
            new TreeMap<>(Map.of("max-item-size", "2000")),
            Optional.empty());
    assertThat(unsupported(bytes, "16", "1926")).isPresent();
    ServerChoice theirs = new ServerChoice(ProvisionMethod.EXTERNAL, "localhost:1");
    assertThat(unsupported(bytes.with(theirs), "16", "1926")).as("its limit is unknown").isEmpty();
  }

  private Optional<String> unsupported(EngineSpec engine, String keyBytes, String valueBytes) {
    return unsupported(engine, keyBytes, valueBytes, Setting.VERIFY, "none");
  }

  private Optional<String> unsupported(
      EngineSpec engine, String keyBytes, String valueBytes, Setting setting, String value) {
    return Planner.plan(
            scenario(
                List.of(engine),
                List.of(load, get),
                Map.of(
                    setting,
                    List.of(value),
                    Setting.KEY_BYTES,
                    List.of(keyBytes),
                    Setting.VALUE_BYTES,
                    List.of(valueBytes))))
        .runs()
        .get(0)
        .unsupported();
  }

  @Test
  void durabilityThatAnEngineCannotGiveRefusesTheRunAtThatFactorPoint() {
    Plan plan =
        Planner.plan(
            scenario(
                List.of(engine("volatile", PLAIN, "it has no log")),
                List.of(load, get),
                Map.of(Setting.FSYNC, List.of("off", "on"))));

    assertThat(plan.runs())
        .allSatisfy(
            run ->
                assertThat(run.unsupported())
                    .isEqualTo(
                        run.fsync().equals(Fsync.ON)
                            ? Optional.of("fsync: on: it has no log")
                            : Optional.empty()));
    assertThat(plan.supported()).hasSize(3);
  }

  @Test
  void loadThatAnEngineCannotDoRefusesTheRun() {
    PhaseSpec batched =
        new PhaseSpec(
            "load",
            load.workload(),
            true,
            new TreeMap<>(Map.of(Setting.BATCH, "100")),
            Optional.empty());
    Plan plan =
        Planner.plan(
            scenario(
                List.of(engine("single", EnumSet.of(Capability.READ, Capability.INSERT))),
                List.of(batched, get),
                Map.of()));

    assertThat(plan.supported()).isEmpty();
    assertThat(plan.runs().get(0).unsupported()).hasValue("single has no batch");
  }

  @Test
  void settingsOfAPhaseWinOverTheFactorPoint() {
    PhaseSpec own =
        new PhaseSpec(
            "get",
            get.workload(),
            false,
            new TreeMap<>(Map.of(Setting.THREADS, "4", Setting.TIME_LIMIT, "90s")),
            Optional.empty());
    RunSpec run =
        Planner.plan(scenario(List.of(engine("a", PLAIN)), List.of(load, own), Map.of()))
            .runs()
            .get(0);

    PlannedPhase phase = run.phases().get(1);
    assertThat(phase.settings().threads()).isEqualTo(4);
    assertThat(run.texts(phase)).containsEntry("threads", "4").containsEntry("fsync", "off");
    assertThat(run.texts(phase)).doesNotContainKeys("operations", "cold");
    assertThat(phase.timeLimit()).contains(Duration.ofSeconds(90));
    assertThat(run.texts(phase)).containsEntry("time-limit", "90s");
    assertThat(run.texts(run.phases().get(0))).doesNotContainKey("time-limit");
    assertThat(run.phases().get(0).settings().threads()).isEqualTo(1);
  }

  @Test
  void aLoadHasARateOnlyIfItStatesOne() {
    PhaseSpec slow =
        new PhaseSpec(
            "load",
            load.workload(),
            true,
            new TreeMap<>(Map.of(Setting.RATE, "50")),
            Optional.empty());
    Map<Setting, List<String>> rates = Map.of(Setting.RATE, List.of("100", "1000"));
    List<EngineSpec> engines = List.of(engine("a", PLAIN));

    assertThat(Planner.plan(scenario(engines, List.of(load, get), rates)).runs())
        .allMatch(run -> run.texts(run.phases().get(0)).get("rate").equals("max"))
        .extracting(run -> run.texts(run.phases().get(1)).get("rate"))
        .containsOnly("100", "1000");
    assertThat(Planner.plan(scenario(engines, List.of(slow, get), rates)).runs())
        .allMatch(run -> run.texts(run.phases().get(0)).get("rate").equals("50"));
  }

  @Test
  void groupsHaveThePhasesThreadsUnlessTheyHaveTheirOwn() {
    GroupSpec writers =
        new GroupSpec(
            "writers",
            phase("set", false, Map.of(Operation.UPDATE, 1)).workload(),
            OptionalInt.of(1),
            "500");
    GroupSpec readers = new GroupSpec("readers", get.workload(), OptionalInt.empty(), "max");
    PhaseSpec mixed =
        PhaseSpec.of(
            "mixed", new TreeMap<>(Map.of(Setting.THREADS, "4")), List.of(writers, readers));
    assertThat(mixed.operations()).containsExactly("readers:read", "writers:update");
    RunSpec run =
        Planner.plan(scenario(List.of(engine("a", PLAIN)), List.of(load, mixed), Map.of()))
            .runs()
            .get(0);

    PlannedPhase phase = run.phases().get(1);
    assertThat(phase.groups())
        .extracting(ClientGroup::name, ClientGroup::threads, group -> group.pacing().rate())
        .containsExactly(tuple("writers", 1, 500.0), tuple("readers", 4, 0.0));
    assertThat(run.texts(phase)).containsEntry("threads", "5").containsEntry("rate", "max");

    Plan readOnly =
        Planner.plan(
            scenario(
                List.of(engine("fixed", EnumSet.of(Capability.READ, Capability.INSERT))),
                List.of(load, mixed),
                Map.of()));
    assertThat(readOnly.runs().get(0).phases().get(1).unsupported())
        .hasValue("fixed has no update");
  }

  @Test
  void walksNeedRangeScansAndReadsOfMissingKeysOnlyReads() {
    Plan plan =
        Planner.plan(
            scenario(
                List.of(engine("a", EnumSet.of(Capability.READ, Capability.INSERT))),
                List.of(
                    load,
                    phase("walk", false, Map.of(Operation.ITERATE, 1)),
                    phase("missing", false, Map.of(Operation.READ_MISSING, 1))),
                Map.of()));
    assertThat(plan.runs().get(0).phases())
        .extracting(PlannedPhase::unsupported)
        .containsExactly(Optional.empty(), Optional.of("a has no range-scan"), Optional.empty());
  }

  @Test
  void reverseScansAreACapabilityOfTheirOwn() {
    OperationMix back =
        new OperationMix(
            new TreeMap<>(Map.of(Operation.RANGE_SCAN, 1)),
            KeyChoice.of(Distribution.UNIFORM),
            ValueSizes.fixed(10),
            false,
            false,
            true);
    Workload workload =
        new Workload(
            "back",
            "",
            back,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    PhaseSpec phase = new PhaseSpec("back", workload, false, new TreeMap<>(), Optional.empty());
    EnumSet<Capability> forward =
        EnumSet.of(Capability.READ, Capability.INSERT, Capability.RANGE_SCAN);
    EnumSet<Capability> both = EnumSet.copyOf(forward);
    both.add(Capability.REVERSE_SCAN);
    Plan plan =
        Planner.plan(
            scenario(
                List.of(engine("forward", forward), engine("both", both)),
                List.of(load, phase),
                Map.of()));
    assertThat(plan.runs())
        .extracting(run -> run.key().engine(), run -> run.phases().get(1).unsupported())
        .containsOnly(
            tuple("forward", Optional.of("forward has no reverse-scan")),
            tuple("both", Optional.empty()));
  }

  @Test
  void expectedTimeCountsWarmUpDurationAndLoad() {
    RunSpec run =
        Planner.plan(scenario(List.of(engine("a", PLAIN)), List.of(load, get), Map.of()))
            .runs()
            .get(0);

    assertThat(Plan.expected(run)).isEqualTo(Duration.ofMillis(1_400 + 50 + 2_000 + 50 + 12_000));
  }

  @Test
  void expectedTimeCountsOperationsAtTheirRate() {
    PhaseSpec set = phase("set", false, Map.of(Operation.UPDATE, 1));
    Map<Setting, List<String>> counted =
        Map.of(Setting.OPERATIONS, List.of("90000"), Setting.DURATION, List.of(""));
    assertThat(ofPhase(set, counted)).isEqualTo(Duration.ofMillis(50 + 2_000 + 1_800));
    Sweep curve = new Sweep.Curve(List.of(new Sweep.Rate(1_000, false)));
    assertThat(ofPhase(sweep(set, curve), counted))
        .isEqualTo(Duration.ofMillis(50 + 2_000 + 90_000));
    Sweep relative = new Sweep.Curve(List.of(new Sweep.Rate(50, true)));
    assertThat(ofPhase(sweep(set, relative), counted))
        .isEqualTo(Duration.ofMillis(2 * 50 + 2 * 2_000 + 1_800 + 3_600));

    Map<Setting, List<String>> synced = new TreeMap<>(counted);
    synced.put(Setting.FSYNC, List.of("on"));
    assertThat(ofPhase(set, synced)).isEqualTo(Duration.ofMillis(50 + 2_000 + 300_000));
    assertThat(ofPhase(get, synced)).isEqualTo(Duration.ofMillis(50 + 2_000 + 1_800));
    PhaseSpec half = phase("half", false, Map.of(Operation.READ, 1, Operation.UPDATE, 1));
    assertThat(ofPhase(half, synced)).isEqualTo(Duration.ofMillis(50 + 2_000 + 150_000));
    synced.put(Setting.CONNECTIONS, List.of("5"));
    synced.put(Setting.PIPELINE, List.of("2"));
    assertThat(ofPhase(set, synced)).isEqualTo(Duration.ofMillis(50 + 2_000 + 30_000));
    synced.put(Setting.RECORDS, List.of("90000"));
    assertThat(expected(List.of(load), synced))
        .as("start and stop, single writes, and the load")
        .isEqualTo(Duration.ofMillis(1_400 + 50 + 3_000 + 30_000));
  }

  /** Phases that differ only by name, rate and length have one ceiling, measured three times. */
  @Test
  void expectedTimeOfCeilingsCountsPhasesThatDiffer() {
    PhaseSpec set = phase("set", false, Map.of(Operation.UPDATE, 1));
    PhaseSpec again = new PhaseSpec("again", set.workload(), false, set.settings(), set.sweep());
    Scenario scenario =
        scenario(
            List.of(engine("a", PLAIN), engine("b", PLAIN)),
            List.of(load, set, again, get),
            Map.of(Setting.THREADS, List.of("1", "2"), Setting.RATE, List.of("max", "9")));

    assertThat(Planner.plan(scenario).ceilings())
        .isEqualTo(Duration.ofMillis(2 * 3 * (1_400 + 3 * 50 + 2 * 500)));
  }

  private Duration ofPhase(PhaseSpec phase, Map<Setting, List<String>> settings) {
    return expected(List.of(load, phase), settings).minus(expected(List.of(load), settings));
  }

  private static Duration expected(List<PhaseSpec> phases, Map<Setting, List<String>> settings) {
    EngineSpec engine = engine("a", EnumSet.allOf(Capability.class));
    return Plan.expected(Planner.plan(scenario(List.of(engine), phases, settings)).runs().get(0));
  }

  private static PhaseSpec sweep(PhaseSpec phase, Sweep sweep) {
    return new PhaseSpec(
        phase.name(), phase.workload(), false, phase.settings(), Optional.of(sweep));
  }

  @Test
  void theMemoryOfAnExternalServerIsNotLimited() {
    EngineSpec own = engine("a", PLAIN);
    EngineSpec external = external(own, false);

    Plan plan =
        Planner.plan(
            scenario(
                List.of(own, external),
                List.of(load, get),
                Map.of(Setting.MEMORY, List.of("none", "1GiB"))));

    assertThat(plan.supported())
        .extracting(RunSpec::id)
        .contains("a.memory-none.r1", "a.memory-1GiB.r1", "b.memory-none.r1")
        .doesNotContain("b.memory-1GiB.r1");
  }

  @Test
  void aCrashTestTakesTimeAndNeedsAServerOfOurs() {
    EngineSpec ours = engine("a", EnumSet.allOf(Capability.class));
    EngineSpec external =
        new EngineSpec(
            "b",
            ours.definition(),
            new TreeMap<>(),
            Optional.of(new EngineSpec.ServerChoice(ProvisionMethod.EXTERNAL, "10.0.0.7:6379")));
    EngineSpec single = engine("c", EnumSet.of(Capability.READ, Capability.INSERT));
    Scenario once = scenario(List.of(ours, external, single), List.of(load, get), Map.of());
    Scenario crashing =
        new Scenario(
            once.name(),
            once.question(),
            once.file(),
            once.engines(),
            once.phases(),
            once.factors(),
            once.medium(),
            once.data(),
            once.isolation(),
            once.prepare(),
            Repetitions.fixed(1),
            once.seed(),
            Optional.empty(),
            Optional.of(CrashTest.KILL.times(4)),
            once.tables(),
            once.expectations(),
            once.prefer());
    Map<String, RunSpec> runs = new TreeMap<>();
    Planner.plan(crashing).runs().forEach(run -> runs.put(run.engine().label(), run));

    assertThat(runs.get("a").crashTest())
        .hasValue(
            new RunSpec.CrashTestSpec(
                CrashTest.KILL.times(4),
                runs.get("a").phases().get(0).settings(),
                Optional.empty()));
    wording.check(runs.get("b").crashTest().orElseThrow().unsupported().orElseThrow());
    assertThat(runs.get("c").crashTest().orElseThrow().unsupported())
        .as("a cut needs no updates or deletes")
        .isEmpty();
    assertThat(Plan.expected(runs.get("a")).minus(Plan.expected(runs.get("b"))))
        .isEqualTo(Duration.ofSeconds(4 * 5));
  }

  /** Returns the engines of each repetition and factor point in order, a letter each. */
  private static List<String> orders(Plan plan) {
    Map<List<Object>, String> orders = new LinkedHashMap<>();
    plan.runs()
        .forEach(
            run ->
                orders.merge(
                    List.of(run.key().repetition(), run.key().factors()),
                    run.engine().label(),
                    String::concat));
    return List.copyOf(orders.values());
  }

  private static List<EngineSpec> engines(String letters) {
    return letters.chars().mapToObj(letter -> engine(Character.toString(letter), PLAIN)).toList();
  }

  private static Map<String, Long> seeds(Plan plan) {
    return plan.runs().stream().collect(Collectors.toMap(RunSpec::id, run -> run.key().seed()));
  }

  private static Scenario scenario(
      List<EngineSpec> engines, List<PhaseSpec> phases, Map<Setting, List<String>> factors) {
    SortedMap<Setting, List<String>> all = new TreeMap<>();
    for (Setting setting : Setting.values()) {
      if (!setting.defaultValue().isEmpty()) {
        all.put(setting, List.of(setting.defaultValue()));
      }
    }
    all.put(Setting.FSYNC, List.of("off"));
    all.putAll(factors);
    return new Scenario(
        "test",
        "Which?",
        Path.of("test.yaml"),
        engines,
        phases,
        all,
        Medium.ANY,
        Optional.empty(),
        new Isolation.Automatic(),
        List.of(),
        Repetitions.fixed(3),
        42,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        List.of(),
        Optional.empty());
  }

  @Test
  void enginesThatCannotBeCachesHaveTheReason() {
    PhaseSpec fills =
        new PhaseSpec(
            "fills",
            new Workload(
                "fills",
                "",
                new OperationMix(
                    new TreeMap<>(Map.of(Operation.READ, 1)),
                    KeyChoice.of(Distribution.UNIFORM),
                    100,
                    false,
                    true),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new Ttl(0.5, 60)),
                Optional.empty()),
            false,
            new TreeMap<>(),
            Optional.empty());
    List<PhaseSpec> phases = List.of(load, fills);
    EngineSpec forgets =
        engine("forgets", Set.of(Capability.READ, Capability.INSERT, Capability.TTL));
    List<RunSpec> expiring =
        Planner.plan(scenario(List.of(forgets, engine("a", PLAIN)), phases, Map.of())).runs();
    for (RunSpec run : expiring) {
      boolean able = run.engine().label().equals("forgets");
      assertThat(run.unsupported())
          .isEqualTo(able ? Optional.empty() : Optional.of("a has no ttl"));
      assertThat(run.phases().get(1).unsupported())
          .isEqualTo(able ? Optional.of("forgets has no update") : Optional.empty());
      assertThat(run.dataset().values().ttl()).isEqualTo(new Ttl(0.5, 60));
      assertThat(run.dataset().evicts()).isFalse();
    }
    Map<Setting, List<String>> limited = Map.of(Setting.MAXMEMORY, List.of("none", "64MiB"));
    for (RunSpec run :
        Planner.plan(scenario(List.of(engine("a", PLAIN)), List.of(load, get), limited)).runs()) {
      boolean evicts = run.key().factors().get("maxmemory").equals("64MiB");
      assertThat(run.unsupported())
          .isEqualTo(
              evicts
                  ? Optional.of("maxmemory: the engine does not evict records")
                  : Optional.empty());
      assertThat(run.dataset().evicts()).isEqualTo(evicts);
    }
  }

  private static PhaseSpec phase(String name, boolean load, Map<Operation, Integer> operations) {
    Workload workload =
        new Workload(
            name,
            "",
            new OperationMix(
                new TreeMap<>(operations), KeyChoice.of(Distribution.UNIFORM), 100, false),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    return new PhaseSpec(name, workload, load, new TreeMap<>(), Optional.empty());
  }

  @Test
  void enginesWithoutABindingHaveRunsThatAreNotStarted() {
    EngineSpec planned = planned(engine("later", PLAIN));
    Plan plan =
        Planner.plan(scenario(List.of(engine("a", PLAIN), planned), List.of(load, get), Map.of()));

    assertThat(plan.runs()).extracting(run -> run.engine().label()).contains("later");
    assertThat(plan.supported()).extracting(run -> run.engine().label()).containsOnly("a");
  }

  private static EngineSpec planned(EngineSpec engine) {
    return EngineSpec.of(
        new EngineDefinitionBuilder(engine.definition()).planned("no binding yet").build());
  }

  @Test
  void anEngineWithoutALogIsNeverAtTheLevelOfTheOthers() {
    EngineSpec cache = engine("cache", PLAIN, new TreeMap<>(Map.of(Fsync.Kind.NONE, NOTHING)));
    List<EngineSpec> both = List.of(cache, engine("store", PLAIN));
    assertThat(levels(both, "off", "on"))
        .containsOnly(
            "cache.fsync-none none",
            "cache.fsync-on fsync: on: cache supports only none",
            "store.fsync-off off",
            "store.fsync-on on");
    assertThat(levels(both, "off", "none"))
        .containsOnly(
            "cache.fsync-off fsync: off: the engine has no log; it supports only 'none'",
            "cache.fsync-none none",
            "store.fsync-off off",
            "store.fsync-none fsync: none: store supports only on, off");
    assertThat(levels(both, "off", "every-1s"))
        .contains("store.fsync-every-1s fsync: every-1s: store supports only on, off");
  }

  @Test
  void atLeastGivesEachEngineItsWeakestLevelInOneComparison() {
    FsyncLevel everySecond =
        new FsyncLevel(
            Optional.empty(),
            new TreeMap<>(),
            new TreeMap<>(),
            new TreeMap<>(),
            Optional.empty(),
            Optional.of(Duration.ofSeconds(1)));
    List<EngineSpec> engines =
        List.of(
            engine("cache", PLAIN, new TreeMap<>(Map.of(Fsync.Kind.NONE, NOTHING))),
            engine("store", PLAIN),
            engine("log", PLAIN, new TreeMap<>(Map.of(Fsync.Kind.EVERY, everySecond))),
            engine(
                "both",
                PLAIN,
                new TreeMap<>(Map.of(Fsync.Kind.EVERY, NOTHING, Fsync.Kind.ON, NOTHING))));
    assertThat(actual(engines, "at-least-every-1s"))
        .containsOnly(
            "cache fsync: at-least-every-1s: cache supports only none",
            "store on",
            "log every-1s",
            "both every-1s");
    assertThat(actual(engines, "at-least-every-5s"))
        .as("a timer of one second is at least one of five")
        .contains("store on", "log every-1s", "both every-5s");
    assertThat(actual(engines, "at-least-every-500ms"))
        .contains("store on", "log fsync: at-least-every-500ms: log supports only every");
    assertThat(actual(engines, "at-least-on")).contains("store on", "both on");
  }

  private List<String> actual(List<EngineSpec> engines, String asked) {
    List<RunSpec> runs =
        Planner.plan(scenario(engines, List.of(load, get), Map.of(Setting.FSYNC, List.of(asked))))
            .runs();
    assertThat(runs).extracting(run -> run.key().factors().get("fsync")).containsOnly(asked);
    return runs.stream()
        .map(run -> run.engine().label() + " " + run.unsupported().orElse(run.fsync().label()))
        .distinct()
        .toList();
  }

  private List<String> levels(List<EngineSpec> engines, String... asked) {
    return Planner.plan(
            scenario(engines, List.of(load, get), Map.of(Setting.FSYNC, List.of(asked))))
        .runs()
        .stream()
        .map(
            run ->
                run.id().replaceFirst("\\.r.$", " ")
                    + run.unsupported().orElse(run.key().factors().get("fsync")))
        .distinct()
        .toList();
  }

  /** Returns the engine {@code b}, a server that runs elsewhere. */
  private static EngineSpec external(EngineSpec engine, boolean mayShare) {
    return new EngineSpec(
        "b",
        engine.definition(),
        new TreeMap<>(),
        Optional.of(
            new EngineSpec.ServerChoice(
                ProvisionMethod.EXTERNAL, "10.0.0.7:6379", new EngineSpec.Access(mayShare))));
  }

  private static EngineSpec engine(String name, Set<Capability> capabilities) {
    return engine(
        name, capabilities, new TreeMap<>(Map.of(Fsync.Kind.OFF, NOTHING, Fsync.Kind.ON, NOTHING)));
  }

  private static EngineSpec engine(String name, Set<Capability> capabilities, String noFsync) {
    FsyncLevel on = FsyncLevel.unsupported(noFsync);
    return engine(
        name, capabilities, new TreeMap<>(Map.of(Fsync.Kind.OFF, NOTHING, Fsync.Kind.ON, on)));
  }

  private static EngineSpec engine(
      String name, Set<Capability> capabilities, SortedMap<Fsync.Kind, FsyncLevel> fsync) {
    return EngineSpec.of(
        new EngineDefinitionBuilder(name, Path.of(name))
            .capabilities(capabilities)
            .fsync(fsync)
            .build());
  }
}
