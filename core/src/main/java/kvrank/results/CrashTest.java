package kvrank.results;

import com.fasterxml.jackson.annotation.JsonAlias;
import java.util.List;

/**
 * What an engine that was killed had lost of what it acknowledged, as it was found after one run.
 *
 * @param crashes what came of each crash, in order
 * @param reason why there are none, or no more of them; empty if all were done
 */
public record CrashTest(@JsonAlias("kills") List<Crash> crashes, String reason) {}
