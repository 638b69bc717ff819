package kvrank.provision;

import java.util.List;
import java.util.SortedMap;
import kvrank.scenario.EngineDefinition;
import kvrank.scenario.EngineDefinition.ServerDefinition;

/**
 * How one server is configured, all placeholders resolved.
 *
 * @param settings the engine's settings
 * @param arguments the server's arguments
 * @param files the files that it finds in its data folder, by name
 */
record Configuration(
    SortedMap<String, String> settings, List<String> arguments, SortedMap<String, String> files) {

  /**
   * Resolves.
   *
   * @param settings the settings, unresolved
   * @param places the other placeholders and their values
   * @throws ProvisionException if a placeholder is unknown
   */
  static Configuration of(
      EngineDefinition engine, SortedMap<String, String> settings, SortedMap<String, String> places)
      throws ProvisionException {
    ServerDefinition server = engine.server().orElseThrow();
    Placeholders known = new Placeholders(engine.name(), places);
    SortedMap<String, String> resolved = known.resolve(settings);
    Placeholders all = known.withSettings(resolved);
    return new Configuration(
        resolved,
        all.arguments(server.arguments(), resolved, server.setting()),
        all.resolve(server.files()));
  }
}
