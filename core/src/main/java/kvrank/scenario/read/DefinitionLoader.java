package kvrank.scenario.read;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import kvrank.engine.BuiltModule;
import kvrank.engine.EngineDefinition;
import kvrank.engine.EngineReader;
import kvrank.input.Diagnostics;
import kvrank.input.Quoting;
import kvrank.input.SourceLocation;
import kvrank.input.Suggestion;
import kvrank.input.TrustedPath;
import kvrank.input.YamlFile;
import kvrank.input.YamlValue;
import kvrank.scenario.NamedFiles;
import kvrank.scenario.NamedFiles.Kind;
import kvrank.scenario.read.ycsb.PropertyFile;
import kvrank.scenario.read.ycsb.YcsbFileReader;
import kvrank.scenario.read.ycsb.YcsbFileReader.YcsbFile;
import kvrank.table.TableRequest;
import kvrank.workload.Workload;

/** Loads workloads, engines and tables by name or path; reads each file once. */
final class DefinitionLoader {

  private final NamedFiles namedFiles;
  private final Diagnostics reading;
  private final Map<Path, Optional<Workload>> workloads = new HashMap<>();
  private final Map<Path, ReadEngine> engines = new ConcurrentHashMap<>();
  private final Set<Path> reported = new HashSet<>();
  private final List<String> properties;
  private boolean propertiesUsed;

  DefinitionLoader(NamedFiles namedFiles, Diagnostics reading) {
    this(namedFiles, reading, List.of());
  }

  /**
   * @param properties {@code KEY=VALUE}, which replace those of YCSB files
   */
  DefinitionLoader(NamedFiles namedFiles, Diagnostics reading, List<String> properties) {
    this.namedFiles = namedFiles;
    this.reading = reading;
    this.properties = List.copyOf(properties);
  }

  Diagnostics reading() {
    return reading;
  }

  /** Returns the workload by its name in {@code workloads/} or its path from {@code folder}. */
  Optional<Workload> workload(YamlValue reference, Path folder) {
    return file(reference, Kind.WORKLOADS, folder).flatMap(file -> workload(file, shown(file)));
  }

  Optional<Workload> workload(String name) {
    Path file = namedFiles.file(Kind.WORKLOADS, name);
    return workload(file, shown(file));
  }

  Optional<Workload> workload(Path file, Path shown) {
    return workloads.computeIfAbsent(
        file,
        any ->
            YamlFile.open(reading, file, shown)
                .flatMap(root -> WorkloadReader.read(root, baseName(file))));
  }

  /** Returns the file that {@code reference} names: a path, or a name of {@code kind}. */
  private Optional<Path> file(YamlValue reference, Kind kind, Path folder) {
    Optional<String> name = reference.text();
    if (name.isEmpty() || (kind != Kind.ENGINES && isPath(name.get()))) {
      return name.flatMap(path -> existing(reference, folder, path));
    }
    Path file = namedFiles.file(kind, name.get());
    if (!Files.isRegularFile(file)) {
      String noun = kind.toString().replaceFirst("s$", "");
      String suggestion = Suggestion.of(name.get(), namedFiles.names(kind));
      return reference.report("no %s '%s' in %s/%s", noun, name.get(), kind.folder, suggestion);
    }
    return Optional.of(file);
  }

  /** Returns the file at {@code path} from {@code folder}; problems may show none of its text. */
  private Optional<Path> existing(YamlValue reference, Path folder, String path) {
    Path file = folder.resolve(path);
    if (!Files.isRegularFile(file)) {
      return reference.report("the file '" + file + "' does not exist");
    }
    Quoting.problem(file, List.of(folder, namedFiles.home()))
        .ifPresent(
            reason -> Stream.of(file, shown(file)).forEach(name -> reading.conceal(name, reason)));
    return Optional.of(file);
  }

  private static boolean isPath(String name) {
    return name.contains("/") || name.matches(".*\\.ya?ml");
  }

  /**
   * Returns a table: {@code reference} itself, or by its name in {@code tables/} or its path from
   * {@code folder}. Tables in {@code tables/} are for any scenario and need not match {@code
   * names}.
   */
  Optional<TableRequest> table(YamlValue reference, Path folder, TableReader.Names names) {
    if (reference.isMap()) {
      new TableReader(Optional.of(names)).read(reference);
      return Optional.of(TableRequest.of(reference.tree()));
    }
    Optional<Path> stated = file(reference, Kind.TABLES, folder);
    Optional<YamlValue> root = stated.flatMap(file -> YamlFile.open(reading, file, shown(file)));
    if (root.isEmpty()) {
      return Optional.empty();
    }
    String name = reference.text().orElseThrow();
    boolean byName = !isPath(name);
    new TableReader(byName ? Optional.empty() : Optional.of(names)).read(root.get());
    boolean shipped = byName && TableReader.shipped(name).isPresent();
    return Optional.of(TableRequest.of(shipped ? name : root.get().tree()));
  }

  /**
   * Reads a YCSB property file.
   *
   * @param host the class for its properties, instead of its own; may be missing
   * @param classpath has that class, if any
   */
  Optional<YcsbFile> ycsbFile(
      YamlValue reference, YamlValue host, Path folder, List<Path> classpath) {
    propertiesUsed = true;
    return reference
        .text()
        .flatMap(name -> existing(reference, folder, name))
        .flatMap(file -> PropertyFile.read(reading, file, properties))
        .flatMap(file -> new YcsbFileReader(file).read(host, classpath));
  }

  /** Reports properties of the command line if no property file was read. */
  void requirePropertiesUsed() {
    if (!properties.isEmpty() && !propertiesUsed) {
      SourceLocation.of(reading, PropertyFile.OPTION, List.of())
          .report("has no effect, as no phase has a YCSB file; use --set for kvrank's settings");
    }
  }

  /** Returns the engine by its name in {@code bindings}, or else in kvrank's own folders. */
  Optional<EngineDefinition> engine(YamlValue reference, Optional<Path> bindings) {
    if (bindings.isPresent() && reference.text().isPresent()) {
      Path file = bindings.get().resolve(reference.text().get() + Kind.ENGINES.ending());
      Path folder = reference.place().file().toAbsolutePath().getParent();
      return Files.isRegularFile(file)
          ? engine(file, file, Quoting.problem(file, List.of(folder, namedFiles.home())))
          : reference.report("no engine '%s' in %s", reference.text().get(), bindings.get());
    }
    return file(reference, Kind.ENGINES, namedFiles.home())
        .flatMap(file -> engine(file, shown(file)));
  }

  Optional<EngineDefinition> engine(String name) {
    Path file = namedFiles.file(Kind.ENGINES, name);
    return engine(file, shown(file));
  }

  Optional<EngineDefinition> engine(Path file, Path shown) {
    return engine(file, shown, Optional.empty());
  }

  /** As {@link #engine(Path, Path)}; problems do not quote the file if it is {@code closed}. */
  private Optional<EngineDefinition> engine(Path file, Path shown, Optional<String> closed) {
    ReadEngine engine = engines.computeIfAbsent(file, any -> read(file, shown, closed));
    if (reported.add(file)) {
      reading.add(engine.reading());
    }
    return engine.definition();
  }

  /** Reads the engines among {@code names} in parallel, before {@link #engine} returns each. */
  void readAhead(Stream<String> names) {
    List<Path> files = names.distinct().map(name -> namedFiles.file(Kind.ENGINES, name)).toList();
    files.parallelStream()
        .filter(Files::isRegularFile)
        .forEach(file -> engines.put(file, read(file, shown(file), Optional.empty())));
  }

  private ReadEngine read(Path file, Path shown, Optional<String> closed) {
    Diagnostics part = new Diagnostics();
    closed.ifPresent(reason -> part.conceal(shown, reason));
    Path folder = namedFiles.built(file.toAbsolutePath().getParent());
    Path worker = namedFiles.built().resolve("worker");
    EngineReader reader = new EngineReader(folder, namedFiles.folders(Kind.ENGINES), worker);
    Optional<EngineDefinition> engine =
        YamlFile.open(part, file, shown).flatMap(root -> root.ifMap(reader::read));
    Stream.concat(
            Stream.of(file.toAbsolutePath()),
            engine.map(read -> BuiltModule.target(read.binding().module())).stream())
        .filter(code -> !code.startsWith(namedFiles.home()) && Files.exists(code))
        .flatMap(code -> TrustedPath.changeable(code).stream())
        .findFirst()
        .ifPresent(problem -> SourceLocation.of(part, shown, List.of()).report("%s", problem));
    return new ReadEngine(engine, part);
  }

  /** Returns the file's name in messages: relative to kvrank's home if it is in there. */
  private Path shown(Path file) {
    return file.startsWith(namedFiles.home()) ? namedFiles.home().relativize(file) : file;
  }

  static String baseName(Path file) {
    String name = file.getFileName().toString();
    int dot = name.lastIndexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  /** An engine, or the problems of its file. */
  private record ReadEngine(Optional<EngineDefinition> definition, Diagnostics reading) {}
}
