package kvrank.engine;

/**
 * One question on the server's port and the form of its answer, both in Latin-1.
 *
 * @param match a regular expression that the answer must contain; its first group is the value
 */
public record Exchange(String send, String match) {

  /** Returns this with each line of words as an array of Redis's protocol. */
  Exchange inArrays() {
    if (send.startsWith("*")) {
      return this;
    }
    StringBuilder arrays = new StringBuilder();
    for (String line : send.strip().split("\r\n", -1)) {
      String[] words = line.split(" ", -1);
      arrays.append('*').append(words.length).append("\r\n");
      for (String word : words) {
        arrays.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
      }
    }
    return new Exchange(arrays.toString(), match);
  }

  /** Returns whether this is a single command, which has a single answer. */
  public boolean single() {
    return send.startsWith("*")
        ? send.indexOf("\r\n*") < 0
        : send.indexOf("\r\n") == send.length() - 2;
  }

  /** Returns the words of the question, for messages. */
  public String words() {
    return send.replaceAll("[*$]\\d+\r\n", "").strip().replace("\r\n", " ");
  }
}
