package kvrank.site;

import java.util.List;
import kvrank.report.chart.Svg;

/** The addresses of pages, relative to the first page. */
final class Links {

  private Links() {}

  static String engine(String name) {
    return "engine/" + file(name) + ".html";
  }

  /** Returns a name as a file name, with a number if another name would give the same. */
  static String file(String name) {
    String file = Svg.fileName(List.of(name));
    return file.equals(name) ? file : file + "-" + Integer.toHexString(name.hashCode());
  }

  static String use(UseCase use) {
    return "use/" + use.file() + ".html";
  }

  static String machine(Machine machine) {
    return "machine/" + machine.file() + ".html";
  }

  static String runs(Study study) {
    return "runs/" + study.file() + ".html";
  }
}
