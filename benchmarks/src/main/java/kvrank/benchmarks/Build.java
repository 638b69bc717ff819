package kvrank.benchmarks;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What Maven built and fetched.
 *
 * @param home kvrank's own folder
 */
record Build(Path home) {

  /** The flags of a worker's JVM, as {@code kvrank.run} sets them; YCSB's client gets them too. */
  static final List<String> JVM =
      List.of("-XX:+UseParallelGC", "-Xms256m", "-Xmx2g", "-XX:-UsePerfData");

  Build {
    requireNonNull(home, "home is null");
  }

  /** This JVM's own {@code java}. */
  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** The worker alone. */
  String worker() throws IOException {
    return join(module("worker"));
  }

  /** The worker, and this module's binding that counts what is allocated. */
  String workerAndBenchmarks() throws IOException {
    List<Path> entries = new ArrayList<>(module("worker"));
    entries.add(home.resolve("benchmarks/target/classes"));
    return join(entries);
  }

  /** The Redis that is installed, or the one that the build unpacked. */
  Path redisServer() throws IOException {
    Optional<Path> installed = Tool.find("redis-server");
    if (installed.isPresent()) {
      return installed.get();
    }
    String arch = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
    try (Stream<Path> files = Files.list(home.resolve("bindings/redis/target/bundled"))) {
      return files
          .filter(file -> file.getFileName().toString().endsWith("linux-" + arch))
          .findFirst()
          .orElseThrow(() -> new IOException("no redis-server; apt-get install redis-server"));
    }
  }

  /** The binding of Redis. */
  String redis() throws IOException {
    List<Path> entries = new ArrayList<>(module("worker"));
    entries.addAll(module("bindings/redis"));
    return join(entries);
  }

  /** The binding with the peer's version of RocksDB in place of kvrank's. */
  String rocksDbOfPeer() throws IOException {
    List<Path> entries = new ArrayList<>(module("worker"));
    entries.addAll(module("bindings/rocksdb"));
    entries.removeIf(path -> path.getFileName().toString().startsWith("rocksdbjni"));
    entries.addAll(jars(home.resolve("benchmarks/target/rocksdbjni")));
    return join(entries);
  }

  /** The version of the peer's RocksDB. */
  String rocksDbVersion() throws IOException {
    String jar = jars(home.resolve("benchmarks/target/rocksdbjni")).get(0).getFileName().toString();
    return jar.replaceAll("rocksdbjni-|\\.jar", "");
  }

  /** YCSB's client with the jars that it was made for. */
  String ycsb() throws IOException {
    return join(jars(home.resolve("benchmarks/target/ycsb")));
  }

  private List<Path> module(String name) throws IOException {
    Path target = home.resolve(name).resolve("target");
    List<Path> entries = new ArrayList<>(List.of(target.resolve("classes")));
    entries.addAll(jars(target.resolve("lib")));
    return entries;
  }

  private static List<Path> jars(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new IOException(folder + " is not there; run 'mvn -DskipTests package' first");
    }
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
      if (jars.isEmpty()) {
        throw new IOException(folder + " is empty; run 'mvn -DskipTests package' first");
      }
      return jars;
    }
  }

  private static String join(List<Path> entries) {
    return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }
}
