package kvrank.input;

import java.util.List;
import java.util.stream.Collectors;

/** The user's input is wrong: every problem that was found, in the order of the files. */
public final class InvalidInputException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  public InvalidInputException(List<Problem> problems) {
    super(problems.stream().map(Problem::oneLine).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** At least one problem. */
  public List<Problem> problems() {
    return problems;
  }
}
