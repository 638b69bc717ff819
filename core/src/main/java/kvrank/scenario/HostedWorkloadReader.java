package kvrank.scenario;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import kvrank.workload.HostedWorkload;
import kvrank.workload.Workload;

/** Reads a workload that is a class for YCSB, with what that is initialised with. */
final class HostedWorkloadReader {

  static final String CLASS = "class";

  private final Path folder;

  /**
   * @param folder what the paths of the class path are relative to
   */
  HostedWorkloadReader(Path folder) {
    this.folder = folder;
  }

  Optional<Workload> read(YamlValue element) {
    return element.section(this::workload).flatMap(workload -> workload);
  }

  private Optional<Workload> workload(YamlMap section) {
    Optional<String> className = section.required(CLASS).flatMap(YamlValue::className);
    Optional<String> name = section.optional("name").flatMap(YamlValue::name);
    SortedMap<String, String> properties = EngineReader.texts(section, "properties");
    List<Path> classpath = classpath(section);
    return className.map(
        type ->
            workload(
                name.orElse(type.substring(type.lastIndexOf('.') + 1)),
                new HostedWorkload(type, properties, classpath)));
  }

  /**
   * Returns the files and folders of {@code classpath}, if the section has it; each must be there.
   */
  List<Path> classpath(YamlMap section) {
    return section.files("classpath", folder);
  }

  /** Returns the workload {@code name} that is {@code hosted}. */
  static Workload workload(String name, HostedWorkload hosted) {
    return Workload.hosted(name, "YCSB's workload class " + hosted.className() + ".", hosted);
  }
}
