package kvrank.stats;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.metric.Expectation;
import kvrank.metric.Preference;
import kvrank.results.Manifest;
import kvrank.results.RunRecord;
import kvrank.table.TableRequest;

/** Builds manifests of which a test states only what it is about. */
public final class ManifestBuilder {

  private final List<String> engines;
  private String kvrank = "0.1.0";
  private String scenario = "example";
  private String question = "Which engine is fastest?";
  private String medium = "ssd";
  private List<TableRequest> tables = List.of();
  private List<Expectation> expectations = List.of();
  private Optional<Preference> prefer = Optional.empty();
  private List<String> phases = List.of();
  private SortedMap<String, List<String>> factors = new TreeMap<>();
  private int repetitions = 1;
  private Optional<Manifest.Adaptive> adaptive = Optional.empty();
  private long seed = 42;
  private List<String> runs = List.of();
  private Instant planned = Runs.THEN;
  private List<Integer> extended = List.of();

  ManifestBuilder(List<String> engines) {
    this.engines = engines;
  }

  ManifestBuilder(Manifest manifest) {
    engines = manifest.engines();
    kvrank = manifest.kvrank();
    seed = manifest.seed();
    scenario = manifest.scenario();
    question = manifest.question();
    medium = manifest.medium();
    tables = manifest.tables();
    expectations = manifest.expectations();
    prefer = manifest.prefer();
    phases = manifest.phases();
    factors = new TreeMap<>(manifest.factors());
    repetitions = manifest.repetitions();
    adaptive = manifest.adaptive();
    runs = manifest.runs();
    planned = manifest.planned();
    extended = manifest.extended();
  }

  public ManifestBuilder scenario(String name) {
    scenario = name;
    return this;
  }

  public ManifestBuilder question(String text) {
    question = text;
    return this;
  }

  public ManifestBuilder medium(String label) {
    medium = label;
    return this;
  }

  public ManifestBuilder tables(TableRequest... requests) {
    return tables(List.of(requests));
  }

  public ManifestBuilder tables(List<TableRequest> requests) {
    tables = requests;
    return this;
  }

  public ManifestBuilder expectations(Expectation... bounds) {
    return expectations(List.of(bounds));
  }

  public ManifestBuilder expectations(List<Expectation> bounds) {
    expectations = bounds;
    return this;
  }

  public ManifestBuilder prefer(Preference order) {
    prefer = Optional.of(order);
    return this;
  }

  public ManifestBuilder phases(String... names) {
    return phases(List.of(names));
  }

  public ManifestBuilder phases(List<String> names) {
    phases = names;
    return this;
  }

  public ManifestBuilder factor(String name, String... values) {
    return factor(name, List.of(values));
  }

  public ManifestBuilder factor(String name, List<String> values) {
    factors.put(name, values);
    return this;
  }

  public ManifestBuilder factors(Map<String, List<String>> values) {
    factors.putAll(values);
    return this;
  }

  public ManifestBuilder repetitions(int number) {
    repetitions = number;
    return this;
  }

  /** Asks for repetitions, 3 at least, until {@code compare} are separated. */
  public ManifestBuilder untilSeparated(List<List<String>> compare) {
    adaptive =
        Optional.of(
            new Manifest.Adaptive(
                3, 1.1, Optional.empty(), compare, Optional.empty(), Optional.empty(), List.of()));
    return this;
  }

  public ManifestBuilder seed(long number) {
    seed = number;
    return this;
  }

  public ManifestBuilder runs(List<RunRecord> records) {
    runs = records.stream().map(RunRecord::id).toList();
    return this;
  }

  public ManifestBuilder runIds(String... ids) {
    runs = List.of(ids);
    return this;
  }

  public ManifestBuilder planned(Instant when) {
    planned = when;
    return this;
  }

  public Manifest build() {
    return new Manifest(
        kvrank,
        scenario,
        question,
        medium,
        tables,
        expectations,
        prefer,
        engines,
        phases,
        factors,
        repetitions,
        adaptive,
        seed,
        Optional.empty(),
        runs,
        planned,
        extended);
  }
}
