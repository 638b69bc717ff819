package kvrank.site;

import java.util.List;
import kvrank.report.chart.Svg;

/** The addresses of pages, relative to the first page. */
final class Links {

  private Links() {}

  static String engine(String name) {
    return "engine/" + Svg.fileName(List.of(name)) + ".html";
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
