package kvrank.results.pack;

import static java.util.stream.Collectors.toCollection;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import kvrank.fact.Fact;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunDirectory;
import kvrank.results.RunRecord;
import kvrank.results.UnreadableException;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/**
 * Writes executions to one archive: their records, series and scenarios without private texts, and
 * the SHA-256 of each file. Logs are left out. The same results give the same bytes.
 */
public final class PackWriter {

  private final List<ExecutionResults> executions;
  private final PrivateTexts texts;
  private final SortedMap<String, byte[]> files = new TreeMap<>();

  private PackWriter(List<ExecutionResults> executions, String user) {
    this.executions = executions;
    Map<String, String> names = new HashMap<>();
    Set<String> used = new HashSet<>();
    names.put(user, "user");
    for (ExecutionResults execution : executions) {
      for (RunRecord run : execution.runs()) {
        Stream.of(run.facts().text(Fact.GENERATORS_HOSTS).split(", *", -1))
            .filter(host -> !host.isEmpty())
            .forEach(host -> names.putIfAbsent(host, PrivateTexts.REMOVED));
      }
      used.addAll(used(execution.manifest()));
    }
    for (ExecutionResults execution : executions) {
      names.put(execution.environment().text(Fact.HOST), MachineName.of(execution.environment()));
    }
    names.remove("");
    this.texts = new PrivateTexts(names, used);
  }

  private static Set<String> used(Manifest manifest) {
    Set<String> used = new HashSet<>(manifest.engines());
    used.add(manifest.scenario());
    used.addAll(manifest.phases());
    manifest.factors().forEach((factor, values) -> used.addAll(values));
    return used;
  }

  /**
   * Packs executions.
   *
   * @param user the name of the user, which is removed
   * @throws UnreadableException if a file is broken, or a private name is left
   */
  public static PackWriter of(List<ExecutionResults> executions, String user)
      throws UnreadableException, IOException {
    PackWriter writer = new PackWriter(executions, user);
    for (ExecutionResults execution : executions) {
      writer.add(execution);
    }
    writer.check();
    return writer;
  }

  private void add(ExecutionResults execution) throws UnreadableException, IOException {
    ResultsDirectory directory = new ResultsDirectory(execution.directory());
    String folder = folder(execution);
    for (int i = 2; files.containsKey(folder + "/" + PackLayout.PLAN); i++) {
      folder = folder(execution) + "-" + i;
    }
    for (Path file : files(directory, execution)) {
      String name = directory.path().relativize(file).toString();
      String path = folder + "/" + name;
      files.put(path, texts.file(path, file).getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String folder(ExecutionResults execution) {
    return (execution.manifest().scenario() + "/" + execution.directory().getFileName())
        .replaceAll("[^\\w./-]", "-")
        .replaceAll("(?<=^|/)\\.+", "-");
  }

  /** Returns the files of the executions that a pack has, if they exist. */
  private static List<Path> files(ResultsDirectory directory, ExecutionResults execution)
      throws IOException {
    List<Path> files = new ArrayList<>();
    for (String name : PackLayout.ROOT) {
      files.add(directory.path().resolve(name));
    }
    for (RunRecord run : execution.runs()) {
      RunDirectory folder = directory.run(run.id());
      for (String name : PackLayout.RUN) {
        files.add(folder.path().resolve(name));
      }
      for (int i = 0; Files.isDirectory(folder.generator(i).path()); i++) {
        for (String name : PackLayout.RUN) {
          files.add(folder.generator(i).path().resolve(name));
        }
      }
    }
    return files.stream().filter(Files::exists).toList();
  }

  /** Throws if any file has a private name. */
  private void check() throws UnreadableException {
    Map<String, Pattern> searched = new LinkedHashMap<>();
    texts.searched().forEach(name -> searched.put(name, PrivateTexts.whole(name)));
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      if (file.getKey().endsWith(".hlog")) {
        continue; // it is encoded
      }
      String text = file.getKey() + "\n" + new String(file.getValue(), StandardCharsets.UTF_8);
      for (Map.Entry<String, Pattern> name : searched.entrySet()) {
        if (name.getValue().matcher(text).find()) {
          throw new UnreadableException(
              "%s: would still contain '%s', the name of a host or user; rename it in the results"
                  .formatted(file.getKey(), name.getKey()));
        }
      }
    }
  }

  /** Returns the number of different private texts that were replaced, by kind. */
  public SortedMap<String, Integer> replaced() {
    return texts.replaced();
  }

  /** Returns texts that are left and may be private, with the files that have them. */
  public SortedMap<String, SortedSet<String>> doubtful() {
    return texts.doubtful();
  }

  /** Returns the public names of the machines. */
  public SortedSet<String> machines() {
    return executions.stream()
        .map(each -> MachineName.of(each.environment()))
        .collect(toCollection(TreeSet::new));
  }

  /** Returns a file name that tells scenario, machine and time. */
  public String name() {
    ExecutionResults first = executions.get(0);
    return "%s-%s-%s.tar.gz"
        .formatted(
            first.manifest().scenario(),
            MachineName.of(first.environment()),
            first.directory().getFileName())
        .replaceAll("[^\\w.-]", "-");
  }

  /** Returns the bytes of the archive. */
  public byte[] archive() throws IOException {
    files.put(PackLayout.SUMS, PackLayout.sums(files).getBytes(StandardCharsets.UTF_8));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream compressed = new GZIPOutputStream(bytes);
        TarArchiveOutputStream tar =
            new TarArchiveOutputStream(compressed, StandardCharsets.UTF_8.name())) {
      tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
      tar.setAddPaxHeadersForNonAsciiNames(true);
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        TarArchiveEntry entry = new TarArchiveEntry(file.getKey());
        entry.setSize(file.getValue().length);
        entry.setModTime(executions.get(0).manifest().planned().toEpochMilli());
        tar.putArchiveEntry(entry);
        tar.write(file.getValue());
        tar.closeArchiveEntry();
      }
    }
    return bytes.toByteArray();
  }
}
