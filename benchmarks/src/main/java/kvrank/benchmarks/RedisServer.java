package kvrank.benchmarks;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A fresh Redis on a free port of the loopback, which writes nothing to disk. */
final class RedisServer implements Closeable {

  private static final int START_TRIES = 100;
  private static final int START_POLL_MILLIS = 50;

  private final Process process;
  private final int port;

  private RedisServer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static RedisServer start(Path executable, Path folder) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    List<String> command =
        List.of(
            executable.toString(),
            "--port",
            Integer.toString(port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
            "--dir",
            folder.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("redis.log").toFile())
            .start();
    RedisServer server = new RedisServer(process, port);
    try {
      server.await();
    } catch (IOException | InterruptedException e) {
      server.close();
      throw e;
    }
    return server;
  }

  private void await() throws IOException, InterruptedException {
    for (int i = 0; i < START_TRIES; i++) {
      try {
        if (ask("PING").equals("+PONG")) {
          return;
        }
      } catch (IOException e) {
        Thread.sleep(START_POLL_MILLIS);
      }
    }
    throw new IOException("Redis does not answer on port " + port);
  }

  int port() {
    return port;
  }

  long pid() {
    return process.pid();
  }

  long ticks() {
    return Machine.ticks(process.pid());
  }

  /** The first line of the answer to {@code command}. */
  String ask(String command) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
      return String.valueOf(reader(socket).readLine());
    }
  }

  /** The value of {@code name} in INFO. */
  long info(String name) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write("INFO\r\nQUIT\r\n".getBytes(StandardCharsets.US_ASCII));
      return reader(socket)
          .lines()
          .filter(line -> line.startsWith(name + ":"))
          .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1)))
          .findFirst()
          .orElseThrow(() -> new IOException("INFO has no " + name));
    }
  }

  /** Sets keys whose names {@code form} makes of the numbers from 0 to {@code keys}. */
  void fill(String form, long keys, int valueBytes) throws IOException {
    String value = "x".repeat(valueBytes);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      OutputStream out = socket.getOutputStream();
      BufferedReader answers = reader(socket);
      int batch = 1_000;
      for (long first = 0; first <= keys; first += batch) {
        StringBuilder commands = new StringBuilder();
        for (long key = first; key < first + batch; key++) {
          commands.append("SET ").append(form.formatted(key)).append(" %s\r\n".formatted(value));
        }
        out.write(commands.toString().getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < batch; i++) {
          answers.readLine();
        }
      }
    }
  }

  private static BufferedReader reader(Socket socket) throws IOException {
    return new BufferedReader(
        new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
