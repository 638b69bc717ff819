package kvrank.provision.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.engine.EngineDefinition;
import kvrank.engine.ServerDefinition;
import kvrank.engine.ServerDefinition.Password;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.provision.host.ProvisionException;

/** The values of an {@code engine.yaml}'s placeholders, by name without {@code ${}}. */
public record Placeholders(String engine, SortedMap<String, String> values) {

  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]*)}");
  private static final String ALL_SETTINGS = "${settings}";

  /** Returns these placeholders and {@code settings.NAME} for each setting. */
  Placeholders withSettings(SortedMap<String, String> settings) {
    SortedMap<String, String> extended = new TreeMap<>(values);
    settings.forEach((name, value) -> extended.put("settings." + name, value));
    return new Placeholders(engine, extended);
  }

  /** Returns {@code text} with its placeholders replaced; throws if one is unknown. */
  public String resolve(String text) throws ProvisionException {
    Matcher matcher = PLACEHOLDER.matcher(text);
    StringBuilder result = new StringBuilder();
    while (matcher.find()) {
      String value = values.get(matcher.group(1));
      if (value == null) {
        throw new ProvisionException(
            Cause.INPUT,
            "unknown placeholder '%s' in '%s' of %s; known here are %s"
                .formatted(matcher.group(), text.strip(), engine, values.keySet()));
      }
      matcher.appendReplacement(result, Matcher.quoteReplacement(value));
    }
    return matcher.appendTail(result).toString();
  }

  public SortedMap<String, String> resolve(SortedMap<String, String> texts)
      throws ProvisionException {
    SortedMap<String, String> result = new TreeMap<>();
    for (Map.Entry<String, String> text : texts.entrySet()) {
      result.put(text.getKey(), resolve(text.getValue()));
    }
    return result;
  }

  /** Returns the resolved items; {@code ${settings}} becomes every setting in the form. */
  List<String> arguments(List<String> items, SortedMap<String, String> settings, List<String> form)
      throws ProvisionException {
    List<String> result = new ArrayList<>();
    for (String item : items) {
      if (item.equals(ALL_SETTINGS)) {
        settings.forEach(
            (name, value) -> form.forEach(part -> result.add(fill(part, name, value))));
      } else {
        result.add(resolve(item));
      }
    }
    return result;
  }

  // One pass, so that a value that looks like {name} stays as it is.
  private static String fill(String form, String name, String value) {
    return Pattern.compile("\\{(name|value)}")
        .matcher(form)
        .replaceAll(
            placeholder ->
                Matcher.quoteReplacement(placeholder.group(1).equals("name") ? name : value));
  }

  /** The resolved configuration of a server, with the files of its data folder. */
  public record Configuration(
      SortedMap<String, String> settings, List<String> arguments, SortedMap<String, String> files) {

    /** Resolves the definition with {@code settings} and the placeholders {@code places}. */
    public static Configuration of(
        EngineDefinition engine,
        SortedMap<String, String> settings,
        SortedMap<String, String> places)
        throws ProvisionException {
      ServerDefinition server = engine.server().orElseThrow();
      Placeholders known = new Placeholders(engine.name(), places);
      SortedMap<String, String> resolved = known.resolve(settings);
      Placeholders withSettings = known.withSettings(resolved);
      return new Configuration(
          resolved,
          withSettings.arguments(server.arguments(), resolved, server.setting()),
          withSettings.resolve(server.files()));
    }

    /** Returns this with the server's password; without any if there are no credentials. */
    public Guarded guarded(
        EngineDefinition engine,
        SortedMap<String, String> credentials,
        SortedMap<String, String> places)
        throws ProvisionException {
      List<String> command = new ArrayList<>();
      SortedMap<String, String> secret = new TreeMap<>();
      if (!credentials.isEmpty()) {
        Password password = engine.server().orElseThrow().password().orElseThrow();
        new Placeholders(engine.name(), credentials)
            .resolve(password.files())
            .forEach((name, text) -> secret.put(name, files.getOrDefault(name, "") + text));
        command.addAll(
            new Placeholders(engine.name(), places)
                .arguments(password.arguments(), new TreeMap<>(), List.of()));
      }
      command.addAll(arguments);
      return new Guarded(command, secret);
    }

    public Facts facts() {
      Facts facts = new Facts();
      settings.forEach((name, value) -> facts.put(Fact.SETTING, name, value));
      return facts;
    }
  }

  /** The arguments of a server with a password, and its files with secrets. */
  public record Guarded(List<String> arguments, SortedMap<String, String> files) {}
}
