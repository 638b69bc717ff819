package kvrank.benchmarks;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

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

  /** Returns the class path of the worker only. */
  String worker() throws IOException {
    return join(module("worker"));
  }

  /** {@code classpath}, and this module's binding that counts what is allocated. */
  String withBenchmarks(String classpath) {
    return classpath + File.pathSeparator + home.resolve("benchmarks/target/classes");
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
    return withWorker("bindings/redis");
  }

  /** The worker with a module of bindings. */
  String withWorker(String binding) throws IOException {
    List<Path> entries = new ArrayList<>(module("worker"));
    entries.addAll(module(binding));
    return join(entries);
  }

  /**
   * The library that an engine written in Go or Rust is, if it was built.
   *
   * @param language {@code go} or {@code rust}
   */
  Optional<Path> library(String language, String engine) throws IOException {
    Path built = home.resolve("bindings").resolve(language).resolve("target/native");
    if (!Files.isDirectory(built)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.walk(built)) {
      return files.filter(file -> file.endsWith(engine + ".so")).findFirst();
    }
  }

  /** Copies the library of LMDB that its Java binding has for this machine to {@code file}. */
  void copyLmdb(Path file) throws IOException {
    String arch = System.getProperty("os.arch").equals("aarch64") ? "aarch64" : "x86_64";
    String name = "org/lmdbjava/native/" + arch + "-linux-gnu.so";
    for (Path jar : jars(home.resolve("bindings/lmdb/target/lib"))) {
      try (ZipFile zip = new ZipFile(jar.toFile())) {
        ZipEntry entry = zip.getEntry(name);
        if (entry != null) {
          Files.copy(zip.getInputStream(entry), file);
          return;
        }
      }
    }
    throw new IOException("no jar of bindings/lmdb/target/lib has " + name);
  }

  /** The binding with the peer's version of RocksDB instead of kvrank's. */
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

  /** What a worker runs with {@code name}. */
  private List<Path> module(String name) throws IOException {
    Path target = home.resolve(name).resolve("target");
    List<Path> entries = new ArrayList<>(List.of(target.resolve("classes")));
    for (Path jar : jars(target.resolve("lib"))) {
      if (jar.getFileName().toString().startsWith("kvrank-")) {
        requireFresh(jar);
      }
      entries.add(jar);
    }
    return entries;
  }

  private void requireFresh(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        for (Path classes : ownClasses()) {
          Path source = classes.resolve(entry.getName());
          if (entry.getName().endsWith(".class")
              && Files.exists(source)
              && !Arrays.equals(
                  Files.readAllBytes(source), zip.getInputStream(entry).readAllBytes())) {
            throw new IOException(
                "%s holds another %s than %s; run 'mvn -DskipTests package'"
                    .formatted(jar, entry.getName(), classes));
          }
        }
      }
    }
  }

  /** The folders of classes that a worker may run: its own and those of the bindings. */
  private List<Path> ownClasses() throws IOException {
    try (Stream<Path> bindings = Files.list(home.resolve("bindings"))) {
      return Stream.concat(Stream.of(home.resolve("worker")), bindings.sorted())
          .map(module -> module.resolve("target/classes"))
          .filter(Files::isDirectory)
          .toList();
    }
  }

  /** SHA-256 of all classes that a worker may run, in hexadecimal digits. */
  String digest() throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
    for (Path classes : ownClasses()) {
      try (Stream<Path> files = Files.walk(classes)) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          digest.update(home.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
          digest.update(Files.readAllBytes(file));
        }
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static List<Path> jars(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new IOException(folder + " does not exist; run 'mvn -DskipTests package' first");
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
