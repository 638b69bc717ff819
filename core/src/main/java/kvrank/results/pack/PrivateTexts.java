package kvrank.results.pack;

import static java.util.stream.Collectors.joining;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.fact.Level;
import kvrank.input.Redaction;
import kvrank.results.Json;
import kvrank.results.UnreadableException;

/**
 * Replaces names of hosts and users, paths, addresses and secrets in texts of results. Replacing
 * twice changes nothing more, so a text that would change is not clean.
 */
final class PrivateTexts {

  static final String REMOVED = "removed";

  private static final String NAMES = "names of hosts and users";
  private static final String PATHS = "paths";
  private static final String ADDRESSES = "addresses";
  private static final String SECRETS = "values named like secrets";

  private static final String USER = "user";

  /** A shorter name of a host or user occurs in other words. */
  private static final int SHORTEST = 4;

  /** Names that many machines have, which identify no one. */
  private static final Set<String> COMMON =
      Set.of("admin", "debian", "docker", "localhost", "root", "runner", "ubuntu", USER, "vagrant");

  /** The facts that name hosts. */
  private static final Set<String> HOSTS =
      Set.of(Fact.HOST.label(), Fact.GENERATORS_HOSTS.label(), Fact.GENERATOR_HOST.label());

  private static final Pattern LOOPBACK =
      Pattern.compile("127(?:\\.[0-9]{1,3}){3}|::1|0\\.0\\.0\\.0|localhost|");

  /** An absolute path, except for devices and files of the kernel; its last name is kept. */
  private static final Pattern PATH =
      Pattern.compile(
          "(?:(?<![\\w/.…-])|(?<=://))(?!//)(?!/(?:dev|proc|sys)/)/(?=[\\w.@%+~-])"
              + "(?:(?:home|Users)/[\\w.@%+~-]+(?![\\w.@%+~-])/?)?"
              + "(?:[\\w.@%+~-]+/)*+(?<last>[\\w.@%+~-]*)");

  private static final Pattern ADDRESS =
      Pattern.compile(
          "(?<![\\w.-])[0-9]{1,3}(?:\\.[0-9]{1,3}){3}(?![\\w.-])"
              + "|(?<![\\w:.])(?:[0-9a-fA-F]{0,4}:){4,7}[0-9a-fA-F]{0,4}(?![\\w:.])");

  /** The host of an address of a server; web addresses are documentation. */
  private static final Pattern URL =
      Pattern.compile("(?<scheme>(?!https?:)\\b[a-z][a-z+]{0,30}+://)(?<host>[\\w.-]+)");

  private static final Pattern LOGIN = Pattern.compile("(?<=://)[^\\s/@\"']+@");

  private static final Pattern PLAIN_USER = Pattern.compile("(?<=\\buser: )[^\\s,{}\"']+");

  /**
   * Texts that only a person can judge: an e-mail address, and a host of a private network. No name
   * of a host has more labels.
   */
  private static final List<Pattern> SUSPECTED =
      List.of(
          Pattern.compile("(?<![\\w.+-])[\\w.+-]++@(?:[\\w-]+\\.){1,127}[A-Za-z]{2,}\\b"),
          Pattern.compile(
              "(?<![\\w.@-])(?:[\\w-]+\\.){1,127}"
                  + "(?:corp|internal|intranet|lan|local)\\b(?![.-]\\w)"));

  /** The public name of each private name, longer ones first. */
  private final Map<String, String> names = new LinkedHashMap<>();

  /** Every name, for values that are a host. */
  private final Map<String, String> hosts;

  /** The private names that only whole values are compared with. */
  private final Set<String> tooCommon = new LinkedHashSet<>();

  /** What may be private but is left, with the files that have it. */
  private final SortedMap<String, SortedSet<String>> doubtful = new TreeMap<>();

  private final List<Pattern> suspected = new ArrayList<>(SUSPECTED);

  /** The file that is read. */
  private String place = "";

  /** What was replaced, by kind. */
  private final SortedMap<String, Set<String>> replaced = new TreeMap<>();

  /**
   * Replaces the names that {@code names} has, with the public name of each.
   *
   * @param used the names of engines, phases and others that must stay
   */
  PrivateTexts(Map<String, String> names, Collection<String> used) {
    Map<String, String> all = new LinkedHashMap<>();
    names.forEach(
        (name, shown) -> {
          for (String each : List.of(name, name.replaceFirst("\\..*", ""))) {
            all.putIfAbsent(each, shown);
            all.putIfAbsent(each.replace("-", "--"), shown); // as in names of volumes
          }
        });
    all.keySet().stream()
        .sorted(Comparator.comparing(name -> -name.length()))
        .filter(name -> !name.isEmpty() && !COMMON.contains(name) && !MachineName.is(name))
        .forEach(
            name -> {
              if (name.length() < SHORTEST || used.contains(name)) {
                tooCommon.add(name);
              } else {
                this.names.put(name, all.get(name));
              }
            });
    this.hosts = Map.copyOf(all);
    tooCommon.forEach(name -> suspected.add(whole(name)));
  }

  /** Knows no names: for texts that should be clean. */
  PrivateTexts() {
    this(Map.of(), Set.of());
  }

  /**
   * Returns texts that are left and may be private, with the files that have them: names of hosts
   * or users that are too short or common to be replaced, and addresses of persons and of networks
   * without a public name.
   */
  SortedMap<String, SortedSet<String>> doubtful() {
    return doubtful;
  }

  /** Returns {@code shown}, and records what may be private in it. */
  private String judged(String shown) {
    for (Pattern pattern : suspected) {
      pattern
          .matcher(shown)
          .results()
          .forEach(
              found -> doubtful.computeIfAbsent(found.group(), any -> new TreeSet<>()).add(place));
    }
    return shown;
  }

  /** Returns the names that must not occur any more. */
  Set<String> searched() {
    return names.keySet();
  }

  /** Returns the number of different texts that were replaced, by kind. */
  SortedMap<String, Integer> replaced() {
    SortedMap<String, Integer> counts = new TreeMap<>();
    replaced.forEach((kind, texts) -> counts.put(kind, texts.size()));
    return counts;
  }

  /** Returns {@code shown}, the public form of {@code text}, and counts it if it differs. */
  private String counted(String kind, String text, String shown) {
    if (!text.equals(shown)) {
      replaced.computeIfAbsent(kind, any -> new HashSet<>()).add(text);
    }
    return shown;
  }

  /** Returns a file of results, named as in a pack, as public. */
  String file(String name, Path file) throws UnreadableException {
    place = name;
    if (name.endsWith(".json")) {
      return Json.withTexts(file, this::text);
    }
    String text = Json.text(file);
    if (PackLayout.figures(name)) {
      return text;
    }
    UnaryOperator<String> shown = name.endsWith(".csv") ? this::generator : this::line;
    return text.lines().map(shown).map(line -> line + "\n").collect(joining());
  }

  /** Returns a line of {@code generators.csv}, whose third cell is a host. */
  private String generator(String line) {
    String[] cells = line.split(",", -1);
    if (cells.length > 2 && !cells[2].equals("host")) {
      cells[2] = host(cells[2]);
    }
    return judged(String.join(",", cells));
  }

  /** Returns {@code value} of the JSON field {@code field}, or {@code field} itself, as public. */
  private String text(String field, String value) {
    if (HOSTS.contains(field)) {
      return Stream.of(value.split(",", -1)).map(each -> host(each.strip())).collect(joining(", "));
    }
    boolean version = field.toLowerCase(Locale.ROOT).endsWith("version");
    String shown =
        secret(field, value) && !value.isEmpty()
            ? counted(SECRETS, value, REMOVED)
            : plain(value, !version);
    return field.isEmpty() ? shown : judged(shown);
  }

  private String host(String host) {
    return LOOPBACK.matcher(host).matches() || MachineName.is(host) || host.equals(REMOVED)
        ? host
        : counted(NAMES, host, hosts.getOrDefault(host, REMOVED));
  }

  /** Returns whether a field holds a secret: of an engine's or the file's own names. */
  private static boolean secret(String field, String value) {
    for (Level level : Level.values()) {
      if (Fact.find(level, field).filter(fact -> fact.label().equals(field)).isPresent()) {
        return false;
      }
    }
    Optional<String> ofEngine = Fact.ENGINE.part(field);
    if (ofEngine.isPresent() && value.chars().allMatch(Character::isDigit)) {
      // A figure may be about users: RocksDB counts the bytes that they wrote.
      return Redaction.isSecret(ofEngine.get().replace("user", ""));
    }
    return Redaction.isSecret(ofEngine.or(() -> Fact.SETTING.part(field)).orElse(field));
  }

  /** Returns a line of YAML as public. */
  private String line(String line) {
    String redacted = counted(SECRETS, line, Redaction.ofLine(line));
    return judged(
        plain(
            PLAIN_USER.matcher(redacted).replaceAll(found -> counted(NAMES, found.group(), USER)),
            true));
  }

  /** Returns a text without private names, paths and addresses. */
  private String plain(String text, boolean addresses) {
    String shown = text;
    for (Map.Entry<String, String> name : names.entrySet()) {
      if (shown.contains(name.getKey())) {
        shown =
            whole(name.getKey())
                .matcher(shown)
                .replaceAll(
                    found ->
                        Matcher.quoteReplacement(counted(NAMES, name.getKey(), name.getValue())));
      }
    }
    if (shown.indexOf('/') >= 0) {
      shown = LOGIN.matcher(shown).replaceAll(found -> counted(SECRETS, found.group(), ""));
      shown = URL.matcher(shown).replaceAll(this::url);
      shown = PATH.matcher(shown).replaceAll(this::path);
    }
    return addresses
        ? ADDRESS
            .matcher(shown)
            .replaceAll(
                each ->
                    LOOPBACK.matcher(each.group()).matches()
                        ? each.group()
                        : counted(ADDRESSES, each.group(), REMOVED))
        : shown;
  }

  /** Matches {@code name} outside of longer words. */
  static Pattern whole(String name) {
    return Pattern.compile("(?<!\\w)" + Pattern.quote(name) + "(?!\\w)");
  }

  private String url(MatchResult found) {
    String host = found.group(2);
    return found.group(1)
        + (LOOPBACK.matcher(host).matches() ? host : counted(NAMES, host, REMOVED));
  }

  private String path(MatchResult found) {
    String last = found.group(1);
    counted(PATHS, found.group(), "…");
    return "…" + (last.isEmpty() ? "" : "/" + Matcher.quoteReplacement(last));
  }
}
