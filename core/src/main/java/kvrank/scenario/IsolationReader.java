package kvrank.scenario;

import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/** Reads {@code isolation} of a scenario: a word, or the CPUs of client and server. */
final class IsolationReader {

  private IsolationReader() {}

  static Optional<Isolation> read(YamlValue element) {
    return element.isMap()
        ? element.section(IsolationReader::sets).flatMap(sets -> sets)
        : element.choice(
            "isolation",
            Map.of("automatic", new Isolation.Automatic(), "none", new Isolation.None()));
  }

  private static Optional<Isolation> sets(YamlMap section) {
    Optional<CpuList> client = section.required("client-cpus").flatMap(IsolationReader::list);
    Optional<YamlValue> second = section.required("server-cpus");
    Optional<CpuList> server = second.flatMap(IsolationReader::list);
    if (client.isEmpty() || server.isEmpty()) {
      return Optional.empty();
    }
    NavigableSet<Integer> both = new TreeSet<>(client.get().numbers());
    both.retainAll(server.get().numbers());
    if (!both.isEmpty()) {
      second
          .get()
          .report(
              "'%s' is the client's, too; give each its own".formatted(new CpuList(both).label()));
    }
    return Optional.of(new Isolation.Sets(client.get(), server.get()));
  }

  private static Optional<CpuList> list(YamlValue element) {
    Optional<String> text = element.text();
    Optional<CpuList> list = text.flatMap(CpuList::parse);
    if (text.isPresent() && list.isEmpty()) {
      element.report("'" + text.get() + "' is not a list of CPUs; write one such as 0-3,8");
    }
    return list;
  }
}
