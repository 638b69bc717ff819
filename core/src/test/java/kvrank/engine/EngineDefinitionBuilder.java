package kvrank.engine;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.engine.EngineDefinition.Binding;
import kvrank.engine.EngineDefinition.Eviction;
import kvrank.engine.EngineDefinition.FsyncLevel;
import kvrank.engine.EngineDefinition.OptionalCapability;
import kvrank.engine.EngineDefinition.RecordLimits;

/**
 * Builds engines of which a test states only what it is about: embedded, unless it has a server.
 */
public final class EngineDefinitionBuilder {

  private final String name;
  private final Path folder;
  private String description = "";
  private String language = "";
  private Binding binding;
  private Set<Capability> capabilities = Set.of();
  private SortedMap<Capability, String> lacks = new TreeMap<>();
  private List<OptionalCapability> optional = List.of();
  private SortedMap<String, String> settings = new TreeMap<>();
  private SortedMap<Fsync.Kind, FsyncLevel> fsync = new TreeMap<>();
  private Optional<Eviction> eviction = Optional.empty();
  private Optional<ServerDefinition> server = Optional.empty();
  private String install = "";
  private String licence = "";
  private SortedMap<String, String> published = new TreeMap<>();
  private boolean baseline;
  private Optional<String> planned = Optional.empty();
  private RecordLimits limits = RecordLimits.NONE;

  public EngineDefinitionBuilder(String name, Path folder) {
    this.name = name;
    this.folder = folder;
    binding = new Binding("x.Y", folder, Optional.empty(), List.of(), List.of(), new TreeMap<>());
  }

  public EngineDefinitionBuilder(EngineDefinition engine) {
    this(engine.name(), engine.folder());
    description = engine.description();
    language = engine.language();
    binding = engine.binding();
    capabilities = engine.capabilities();
    lacks = engine.lacks();
    optional = engine.optional();
    settings = engine.settings();
    fsync = engine.fsync();
    eviction = engine.eviction();
    server = engine.server();
    install = engine.install();
    licence = engine.licence();
    published = engine.published();
    baseline = engine.baseline();
    planned = engine.planned();
    limits = engine.limits();
  }

  public EngineDefinitionBuilder description(String text) {
    description = text;
    return this;
  }

  public EngineDefinitionBuilder language(String text) {
    language = text;
    return this;
  }

  public EngineDefinitionBuilder binding(Binding of) {
    binding = of;
    return this;
  }

  public EngineDefinitionBuilder capabilities(Set<Capability> all) {
    capabilities = all;
    return this;
  }

  public EngineDefinitionBuilder optional(List<OptionalCapability> all) {
    optional = all;
    return this;
  }

  public EngineDefinitionBuilder settings(SortedMap<String, String> all) {
    settings = all;
    return this;
  }

  public EngineDefinitionBuilder fsync(SortedMap<Fsync.Kind, FsyncLevel> levels) {
    fsync = levels;
    return this;
  }

  public EngineDefinitionBuilder server(ServerDefinition definition) {
    server = Optional.of(definition);
    return this;
  }

  public EngineDefinitionBuilder install(String text) {
    install = text;
    return this;
  }

  public EngineDefinitionBuilder planned(String reason) {
    planned = Optional.of(reason);
    return this;
  }

  public EngineDefinitionBuilder limits(RecordLimits of) {
    limits = of;
    return this;
  }

  public EngineDefinition build() {
    return new EngineDefinition(
        name,
        description,
        language,
        folder,
        binding,
        capabilities,
        lacks,
        optional,
        settings,
        fsync,
        eviction,
        server,
        install,
        licence,
        published,
        baseline,
        planned,
        limits);
  }
}
