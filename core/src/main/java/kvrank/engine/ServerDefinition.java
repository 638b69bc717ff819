package kvrank.engine;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;
import kvrank.engine.EngineDefinition.Binding;

/**
 * How to start a server and talk to it.
 *
 * @param port the port inside a container
 * @param dataMount where the data directory is mounted in the container
 * @param entrypoint the command of the container before the arguments
 * @param executable the name of the local executable, looked up on the PATH
 * @param bundled executables that the build unpacked, by operating system and architecture, for
 *     example {@code linux-amd64}
 * @param arguments for every method of starting the server
 * @param setting the arguments for one setting, with {@code {name}} and {@code {value}}
 * @param reserved settings that a scenario may not change, in addition to those in {@code
 *     arguments}; {@code tls-*} matches a prefix
 * @param files contents of files that are written to the data directory before the start, by name
 * @param ready the engine's ping
 * @param login what to send first if the server requires a password: under {@code password}, or
 *     under {@code user} with a user name; {@code ${password}}, {@code ${user}}, their lengths
 *     {@code ${password-bytes}} and {@code ${user-bytes}}, and {@code ${user-password-bytes}}, of
 *     both with a space, are placeholders
 * @param facts questions to the running server, by the name of the fact
 * @param reports questions after each phase, by the name of the fact
 * @param password how to set a password that the server then requires; empty if it cannot
 * @param cluster empty if servers cannot form a cluster
 * @param connections the fact with the largest number of connections, if there is one
 * @param socket further arguments of a server that listens on the Unix socket {@code ${socket}};
 *     {@code ${port}} is 0 then
 * @param released the years in which bundled versions were released, by version
 */
public record ServerDefinition(
    int port,
    Optional<String> image,
    String dataMount,
    List<String> entrypoint,
    Optional<String> executable,
    SortedMap<String, String> bundled,
    List<String> arguments,
    List<String> setting,
    List<String> reserved,
    SortedMap<String, String> files,
    Exchange ready,
    SortedMap<String, Exchange> login,
    SortedMap<String, Exchange> facts,
    SortedMap<String, Exchange> reports,
    Optional<Password> password,
    Optional<Cluster> cluster,
    Optional<String> connections,
    List<String> socket,
    SortedMap<String, String> released) {

  /** Returns whether it listens on a Unix socket instead of a port. */
  public boolean local() {
    return arguments.stream().anyMatch(argument -> argument.contains("${socket}"));
  }

  ServerDefinition onSocket() {
    return with(Stream.concat(arguments.stream(), socket.stream()).toList());
  }

  ServerDefinition without(List<String> flags) {
    return with(arguments.stream().filter(argument -> !flags.contains(argument)).toList());
  }

  private ServerDefinition with(List<String> newArguments) {
    return new ServerDefinition(
        port,
        image,
        dataMount,
        entrypoint,
        executable,
        bundled,
        newArguments,
        setting,
        reserved,
        files,
        ready,
        login,
        facts,
        reports,
        password,
        cluster,
        connections,
        socket,
        released);
  }

  /**
   * Returns whether {@code setting} is reserved, in any spelling that a server may accept: in
   * capitals, with underscores, abbreviated.
   */
  boolean reserves(String setting) {
    String name = plain(setting);
    Stream<String> stated =
        arguments.stream()
            .filter(argument -> argument.startsWith("-"))
            .map(argument -> argument.replaceFirst("^-+", "").replaceFirst("=.*", ""));
    return Stream.concat(stated, reserved.stream())
        .map(ServerDefinition::plain)
        .anyMatch(
            kept ->
                kept.startsWith(name)
                    || (kept.endsWith("*")
                        && name.startsWith(kept.substring(0, kept.length() - 1))));
  }

  private static String plain(String setting) {
    return setting.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * How to set a server's password, with the placeholders {@code ${password}} and {@code ${user}}.
   *
   * @param files contents that are added to files in the data directory, by name
   * @param arguments arguments before the others
   */
  public record Password(SortedMap<String, String> files, List<String> arguments) {}

  /**
   * How to recognise the members of a cluster of external servers.
   *
   * @param nodes asks a server for its members; the first group is the server's own name
   * @param owner a regular expression that matches each member with keys in that answer; its groups
   *     are the name and the address
   */
  public record Cluster(
      Binding binding, Set<Capability> capabilities, Exchange nodes, String owner) {}
}
