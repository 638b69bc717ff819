package kvrank.launcher;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A user's server, Debian's or another that is installed, and a connection to it.
 *
 * @param port where it listens
 */
record RedisServer(Process process, int port, Socket socket) implements AutoCloseable {

  private static final Random PORTS = new Random();
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Starts one without snapshots, with further options; skips the test where there is none. */
  static RedisServer start(Path home, String... options) throws IOException {
    String executable =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
            .map(folder -> Path.of(folder, "redis-server"))
            .filter(Files::isExecutable)
            .findFirst()
            .map(Path::toString)
            .orElseGet(
                () -> {
                  String reason = "no external server: there is no 'redis-server' on the PATH";
                  System.out.println(reason);
                  return abort(reason);
                });
    int port = freePort();
    Path folder = Files.createDirectories(home.resolve("redis-" + port));
    Path log = folder.resolve("redis.log");
    List<String> command = new ArrayList<>(List.of(executable, "--port", Integer.toString(port)));
    command.addAll(List.of("--save", "", "--dir", folder.toString()));
    command.addAll(List.of(options));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (process.isAlive() && System.nanoTime() < deadline) {
      try {
        return new RedisServer(process, port, new Socket(InetAddress.getLoopbackAddress(), port));
      } catch (IOException e) {
        LockSupport.parkNanos(5_000_000);
      }
    }
    throw new AssertionError(Files.readString(log));
  }

  /** Returns a free port below those that connections get as their own. */
  static int freePort() throws IOException {
    while (true) {
      try (ServerSocket free = new ServerSocket(PORTS.nextInt(10_000, 30_000))) {
        return free.getLocalPort();
      } catch (BindException taken) {
        // The next one.
      }
    }
  }

  /** Waits until an answer to {@code words} contains {@code part}. */
  void await(String part, String... words) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    String answer = (String) ask(words);
    while (!answer.contains(part)) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("never came: '%s', but '%s'".formatted(part, answer));
      }
      TimeUnit.MILLISECONDS.sleep(20);
      answer = (String) ask(words);
    }
  }

  /** Makes a cluster of {@code members}, whose primaries have {@code replicas} each. */
  static void cluster(Path home, List<RedisServer> members, int replicas) throws Exception {
    List<String> create =
        new ArrayList<>(List.of("redis-cli", "--cluster-yes", "--cluster", "create"));
    members.forEach(each -> create.add(each.address()));
    create.addAll(List.of("--cluster-replicas", Integer.toString(replicas)));
    Path log = home.resolve("create.log");
    Process made =
        new ProcessBuilder(create).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (made.waitFor() != 0) {
      throw new AssertionError(Files.readString(log));
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    socket.close();
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  /** Returns a status, a number or a value as text, or a list of them. */
  Object ask(String... words) {
    try {
      OutputStream out = socket.getOutputStream();
      StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
      for (String word : words) {
        request.append("$").append(word.length()).append("\r\n").append(word).append("\r\n");
      }
      out.write(request.toString().getBytes(ISO_8859_1));
      return answer();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Object answer() throws IOException {
    String line = line();
    int number = line.matches(".-?\\d+") ? Integer.parseInt(line.substring(1)) : -1;
    return switch (line.charAt(0)) {
      case '$' -> {
        String value = new String(socket.getInputStream().readNBytes(number), ISO_8859_1);
        socket.getInputStream().skipNBytes(2);
        yield value;
      }
      case '*' -> {
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < number; i++) {
          list.add(answer());
        }
        yield list;
      }
      case '-' -> throw new IOException(line);
      default -> line.substring(1);
    };
  }

  private String line() throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException(address() + " closed the connection");
      }
      line.append((char) next);
    }
    return line.toString().strip();
  }

  /** Returns a digest of the value of each key of each database. */
  SortedMap<String, String> contents() {
    SortedMap<String, String> contents = new TreeMap<>();
    for (int database = 0; database < 4; database++) {
      ask("SELECT", Integer.toString(database));
      for (Object key : (List<?>) ask("KEYS", "*")) {
        contents.put(database + ":" + key, digest((String) ask("DUMP", (String) key)));
      }
    }
    return contents;
  }

  private static String digest(String dump) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(dump.getBytes(ISO_8859_1)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
