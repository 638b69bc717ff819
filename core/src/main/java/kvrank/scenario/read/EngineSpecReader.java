package kvrank.scenario.read;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kvrank.binding.net.HostPort;
import kvrank.binding.net.Tls;
import kvrank.engine.EngineDefinition;
import kvrank.engine.EngineDefinition.ServerDefinition;
import kvrank.engine.EngineReader;
import kvrank.engine.LibraryProperties;
import kvrank.engine.ProvisionMethod;
import kvrank.engine.Tuning;
import kvrank.input.Located;
import kvrank.input.Secret;
import kvrank.input.Secret.Source;
import kvrank.input.SourceLocation;
import kvrank.input.YamlValue;
import kvrank.metric.Direction;
import kvrank.metric.Metric;
import kvrank.metric.Scope;
import kvrank.scenario.EngineRow;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.EngineSpec.Access;
import kvrank.scenario.EngineSpec.ServerChoice;
import kvrank.scenario.FactorPoints;

final class EngineSpecReader {

  /** More than a reader of a table takes in. */
  private static final int MOST_ROWS = 1_000;

  /** The largest value of an option that is tuned. */
  private static final long MOST_VALUE = 1L << 50;

  /** Stands for the engine's own image or executable. */
  private static final String OWN = "true";

  private final DefinitionLoader library;
  private final int copies;
  private final List<String> only;
  private final SortedMap<String, SourceLocation> entries = new TreeMap<>();
  private final Map<String, Located<EngineRow>> rows = new LinkedHashMap<>();

  /**
   * Reads each entry as {@code copies} rows; only those that are named in {@code only}, if any are.
   */
  EngineSpecReader(DefinitionLoader library, int copies, List<String> only) {
    this.library = library;
    this.copies = copies;
    this.only = List.copyOf(only);
  }

  List<EngineSpec> read(YamlValue engines) {
    List<EngineSpec> result = new ArrayList<>();
    List<YamlValue> items = engines.items("needs at least one engine");
    if (only.isEmpty()) {
      library.readAhead(
          items.stream()
              .map(item -> item.isMap() ? item.get("engine") : item)
              .flatMap(name -> name.text().stream()));
    }
    items.forEach(item -> result.addAll(entry(item)));
    result.forEach(row -> row.tuning().ifPresent(tuning -> checkAlone(row.row().name(), tuning)));
    return result;
  }

  /** Refuses rows that a search may find once more. */
  private void checkAlone(String name, Tuning tuning) {
    List<EngineRow> same = rows().stream().filter(row -> row.name().equals(name)).toList();
    Set<String> values = EngineRow.values(same).get(tuning.option());
    if (!tuning.placeholders().containsAll(values)) {
      entries
          .get(name)
          .report(
              "'%s' of '%s' is tuned in one place and listed in another; name one of them with 'as'",
              tuning.option(), name);
    }
  }

  /** Returns the names of all entries, also of those that are not read. */
  Set<String> entries() {
    return entries.keySet();
  }

  /** Returns the rows of all entries, likewise. */
  List<EngineRow> rows() {
    return rows.values().stream().map(Located::value).toList();
  }

  private List<EngineSpec> entry(YamlValue value) {
    YamlValue map = value.isMap() ? value : value.absent();
    YamlValue engineName = value.isMap() ? value.required("engine") : value;
    YamlValue as = map.get("as");
    YamlValue options = map.get("options");
    YamlValue server = map.get("server").keys("method for the server");
    SortedMap<String, String> fixed = new TreeMap<>();
    SortedMap<String, List<String>> factors = new TreeMap<>();
    options
        .all()
        .forEach(
            (option, stated) -> {
              if (stated.isList()) {
                factors.put(
                    option,
                    stated.distinct(
                        item ->
                            item.matching(
                                "has a line break, '--' at its begin, or more than 60 characters",
                                "(?!--)\\P{Cntrl}{0,60}")));
              } else {
                // What begins so would be another setting to the servers that take any.
                stated
                    .matching("has a line break, or '--' at its begin", "(?!--)\\P{Cntrl}*")
                    .ifPresent(text -> fixed.put(option, text));
              }
            });
    factors.values().removeIf(List::isEmpty);
    YamlValue tune = map.get("tune");
    Optional<Tuning> tuning = tuning(tune, options, !factors.isEmpty());
    double points = FactorPoints.count(factors);
    if (points > MOST_ROWS) {
      options.report("%,.0f rows of one engine are more than %,d", points, MOST_ROWS);
      factors.clear();
    }
    tuning.ifPresent(each -> factors.put(each.option(), each.placeholders()));
    Optional<String> name = as.isPresent() ? as.name() : engineName.text();
    List<EngineRow> own = name.map(each -> rows(each, factors)).orElse(List.of());
    boolean read = name.isPresent() && claim(name.get(), own, as.or(engineName).place());
    Optional<EngineDefinition> engine = read ? library.engine(engineName) : Optional.empty();
    if (engine.isEmpty()) {
      return List.of();
    }
    Optional<ServerChoice> choice = choice(server, engine.get());
    Map<String, SourceLocation> named = new LinkedHashMap<>();
    options.names().forEach(option -> named.put(option, options.at(option)));
    tuning.ifPresent(each -> named.put(each.option(), tune.get("option").place()));
    EngineDefinition definition =
        choice.filter(ServerChoice::cluster).isPresent() ? engine.get().clustered() : engine.get();
    checkOptions(named, definition, choice);
    SortedMap<String, List<String>> stated = new TreeMap<>(factors);
    fixed.forEach((option, text) -> stated.put(option, List.of(text)));
    LibraryProperties.of(definition.binding())
        .ifPresent(
            asked -> {
              asked.check(named, stated);
              tuning.map(Tuning::option).ifPresent(o -> asked.checkTuned(named.get(o), o));
            });
    factors.keySet().stream()
        .filter(engine.get()::setByFsync)
        .forEach(
            option ->
                named
                    .get(option)
                    .report("'%s' is what fsync sets, so it is no factor; vary 'fsync'", option));
    EngineSpec asked = new EngineSpec(EngineRow.of(name.get()), definition, fixed, choice, tuning);
    return own.stream().map(asked::as).toList();
  }

  /** Returns a row for each copy and each combination of the options that are factors. */
  private List<EngineRow> rows(String name, SortedMap<String, List<String>> factors) {
    Stream<String> names =
        copies == 1
            ? Stream.of(name)
            : IntStream.rangeClosed(1, copies).mapToObj(copy -> name + "-" + copy);
    List<SortedMap<String, String>> points = FactorPoints.of(factors);
    return names.flatMap(each -> points.stream().map(at -> new EngineRow(each, at))).toList();
  }

  /** Returns whether the entry is read: its rows are new, and it is one that is asked for. */
  private boolean claim(String name, List<EngineRow> own, SourceLocation place) {
    entries.put(name, place);
    boolean unique = true;
    for (EngineRow row : own) {
      Located<EngineRow> first = rows.putIfAbsent(row.folder(), new Located<>(row, place));
      if (first != null) {
        place.report(
            "'%s' is on %s already; give one of them another name with 'as'",
            row.label(), first.place().reference());
        unique = false;
      }
    }
    return unique && (only.isEmpty() || only.contains(name));
  }

  /** Returns the search for the best value of an option, which is no factor then. */
  private Optional<Tuning> tuning(YamlValue tune, YamlValue options, boolean factors) {
    if (!tune.isPresent() || !tune.expectMap()) {
      return Optional.empty();
    }
    Optional<String> option = tune.required("option").text();
    Optional<Long> from = tune.required("from").bytes(1, MOST_VALUE);
    Optional<Long> to = tune.required("to").bytes(1, MOST_VALUE);
    YamlValue most = tune.get("maximise");
    YamlValue best = most.or(tune.get("minimise"));
    Optional<Metric> metric = TableReader.metric(best);
    if (most.isPresent() == tune.get("minimise").isPresent()) {
      tune.report("needs one of 'maximise' and 'minimise'");
    }
    if (copies > 1) {
      tune.report("has no meaning with 'copies', which are to be equal");
    }
    if (factors) {
      tune.report("does not go with lists of options; name one value of each");
    }
    if (option.filter(options::has).isPresent()) {
      options.at(option.get()).report("'%s' is tuned; leave it out here", option.get());
    }
    if (from.isPresent() && to.isPresent() && from.get() >= to.get()) {
      tune.get("from").report("must be less than 'to'");
    }
    metric.ifPresent(each -> checkMetric(best, each, most.isPresent()));
    return option.isPresent() && from.isPresent() && to.isPresent()
        ? metric.map(each -> new Tuning(option.get(), from.get(), to.get(), each))
        : Optional.empty();
  }

  private static void checkMetric(YamlValue value, Metric metric, boolean most) {
    boolean higher = metric.direction() == Direction.HIGHER;
    if (metric.counted() || metric.scope() == Scope.RUN) {
      value.report("'%s' is not measured in each phase as a ratio", metric.shortName());
    } else if (higher != most) {
      String key = higher ? "maximise" : "minimise";
      value.report(
          "'%s' is better the %s it is; say '%s'",
          metric.shortName(), higher ? "higher" : "lower", key);
    }
  }

  private static void checkOptions(
      Map<String, SourceLocation> named, EngineDefinition engine, Optional<ServerChoice> choice) {
    Set<String> properties = engine.binding().properties().keySet();
    Set<String> known = new TreeSet<>(properties);
    known.addAll(engine.settings().keySet());
    known.removeIf(engine::reserves);
    String external =
        choice.filter(ServerChoice::cluster).isPresent()
            ? "'%s' is no option of a cluster"
            : "'%s' is a setting of the server, and kvrank does not start an external one";
    // Settings that engine.yaml does not name reach some servers, too.
    boolean any =
        engine.server().filter(s -> s.arguments().contains(EngineReader.ALL_SETTINGS)).isPresent();
    named.forEach(
        (option, place) -> {
          if (engine.reserves(option)) {
            place.report(
                engine.embedded()
                    ? "'%s' is no option: kvrank decides it; for another folder of data say"
                        + " 'storage: {data: FOLDER}' or '--set data=FOLDER'"
                    : "'%s' is no option: kvrank decides where and how it starts a server; one that"
                        + " runs already is 'server: {external: {address: HOST:PORT}}', another"
                        + " folder of data is '--set data=FOLDER'",
                option);
          } else if (choice.filter(ServerChoice::external).isPresent()) {
            if (!properties.contains(option)) {
              place.report(external, option);
            }
          } else if (any) {
            place.isName(option);
          } else {
            place.has(engine.name() + " has no option", option, known);
          }
        });
  }

  private static Optional<ServerChoice> choice(YamlValue server, EngineDefinition engine) {
    if (server.isPresent() && engine.embedded()) {
      return server.report("%s is embedded; it has no server", engine.name());
    }
    Optional<ServerChoice> choice = Optional.empty();
    for (ProvisionMethod way : ProvisionMethod.values()) {
      if (way != ProvisionMethod.EMBEDDED) {
        YamlValue value = server.get(way.label());
        Optional<ServerChoice> read =
            way == ProvisionMethod.EXTERNAL
                ? external(value, engine)
                : argument(way, value, engine).map(each -> new ServerChoice(way, each));
        choice = choice.or(() -> read);
      }
    }
    if (server.isMap() && server.names().size() != 1) {
      server.report("names %d methods for the server; name one", server.names().size());
    }
    return choice;
  }

  /** Returns a server that runs already: its address, or a map that has it. */
  private static Optional<ServerChoice> external(YamlValue value, EngineDefinition engine) {
    YamlValue place = value.isMap() ? value.required("address") : value;
    Optional<String> stated =
        place.parsed(
            "is not HOST:PORT, such as 10.0.0.7:6379 or [::1]:6379; the port is from 1 to 65535",
            text ->
                Optional.of(text)
                    .filter(
                        all ->
                            Stream.of(all.split(",", -1))
                                .allMatch(each -> HostPort.of(each).isPresent())));
    boolean cluster = stated.filter(text -> text.contains(",")).isPresent();
    Optional<String> address =
        cluster && engine.server().orElseThrow().cluster().isEmpty()
            ? place.report("%s/engine.yaml states no cluster; name one address", engine.name())
            : stated;
    if (!value.isMap()) {
      return address.map(each -> new ServerChoice(ProvisionMethod.EXTERNAL, each));
    }
    YamlValue user = value.get("user");
    YamlValue password = value.get("password");
    Set<String> logins = engine.server().orElseThrow().login().keySet();
    if (password.isPresent() && !logins.contains("password")) {
      password.report("%s/engine.yaml states no login by a password", engine.name());
    } else if (user.isPresent() && !logins.contains("user")) {
      user.report("%s/engine.yaml states no login of a user", engine.name());
    } else if (user.isPresent() && !password.isPresent()) {
      user.report("a user needs a password; say 'password: {env: NAME}'");
    }
    Optional<Tls> tls = tls(value.get("tls"), value.get("ca"));
    if (cluster && tls.isPresent()) {
      value.get("tls").report("a cluster is spoken to in the open alone");
    }
    Access access =
        new Access(
            value.get("may-share").flag().orElse(false),
            user.isMap() ? secret(user) : user.text().map(name -> new Secret(Source.TEXT, name)),
            secret(password),
            tls);
    return address.map(each -> new ServerChoice(ProvisionMethod.EXTERNAL, each, access));
  }

  private static Optional<Tls> tls(YamlValue tls, YamlValue ca) {
    boolean asked = tls.flag().orElse(false);
    if (ca.isPresent() && !asked) {
      return ca.report("has no meaning without 'tls: true'");
    }
    Optional<Secret> authorities = file(ca, ca.place());
    return asked
        ? Optional.of(new Tls(authorities.map(file -> Path.of(file.name()))))
        : Optional.empty();
  }

  /** Returns what stands in the environment or in a file, which is looked for when it is used. */
  private static Optional<Secret> secret(YamlValue value) {
    if (value.isPresent() && !value.isMap()) {
      return value.report(
          "a password does not stand in a scenario; say {env: NAME} or {file: PATH}");
    }
    YamlValue env = value.get("env");
    YamlValue file = value.get("file");
    if (value.isMap() && env.isPresent() == file.isPresent()) {
      return value.report("needs one of 'env' and 'file'");
    }
    Optional<Secret> named = env.text().map(name -> new Secret(Source.ENV, name));
    named.ifPresent(found -> value.place().reading().needs(value.place(), found));
    return named.or(() -> file(file, value.place()));
  }

  /** Returns a file by its path from the scenario's folder; {@code place} needs it. */
  private static Optional<Secret> file(YamlValue value, SourceLocation place) {
    Path folder = place.file().toAbsolutePath().getParent();
    Optional<Secret> file =
        value
            .parsed("is not a path", text -> path(folder, text))
            .map(path -> new Secret(Source.FILE, path));
    file.ifPresent(found -> place.reading().needs(place, found));
    return file;
  }

  private static Optional<String> path(Path folder, String text) {
    try {
      return Optional.of(folder.resolve(text).normalize().toString());
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /** Returns the way's argument; empty text for the engine's own; no result after a problem. */
  private static Optional<String> argument(
      ProvisionMethod way, YamlValue value, EngineDefinition engine) {
    Optional<String> text = value.text();
    if (text.isEmpty()) {
      return text;
    }
    ServerDefinition server = engine.server().orElseThrow();
    Set<String> platforms = server.bundled().keySet();
    boolean bundled = way == ProvisionMethod.BUNDLED;
    boolean own = text.get().equals(OWN);
    boolean stated =
        switch (way) {
          case CONTAINER -> server.image().isPresent();
          case PROCESS -> server.executable().isPresent();
          default -> !platforms.isEmpty();
        };
    String none = engine.name() + "/engine.yaml states no ";
    if (!stated && (own || bundled)) {
      return value.report(none + (bundled ? "bundled executable" : way.label()));
    }
    if (own) {
      return Optional.of("");
    }
    // Another platform than this machine's may run here, too, as 32-bit programs do.
    return bundled && !value.place().has(none + "bundled executable for", text.get(), platforms)
        ? Optional.empty()
        : text;
  }
}
