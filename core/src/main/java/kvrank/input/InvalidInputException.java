package kvrank.input;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown for wrong user input, with every problem in the order of files and positions. */
public final class InvalidInputException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  public InvalidInputException(List<Problem> problems) {
    super(problems.stream().map(Problem::oneLine).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  public List<Problem> problems() {
    return problems;
  }
}
