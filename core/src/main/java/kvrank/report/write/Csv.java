package kvrank.report.write;

import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import kvrank.report.Table;

/** Writes a table as RFC 4180 has it: CRLF, quotes where they are needed. */
final class Csv {

  private static final Pattern SPECIAL = Pattern.compile("[,\"\r\n]");

  private Csv() {}

  static String of(Table table) {
    StringBuilder text = new StringBuilder();
    text.append(line(table.columns().stream().map(Table.Heading::name).toList()));
    table.rows().forEach(row -> text.append(line(row.texts())));
    return text.toString();
  }

  private static String line(List<String> cells) {
    StringJoiner line = new StringJoiner(",", "", "\r\n");
    cells.forEach(cell -> line.add(quoted(cell)));
    return line.toString();
  }

  private static String quoted(String cell) {
    boolean special = SPECIAL.matcher(cell).find();
    return special ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
  }
}
