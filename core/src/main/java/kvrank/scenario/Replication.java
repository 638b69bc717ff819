package kvrank.scenario;

/**
 * How often everything is done.
 *
 * @param repetitions how often each engine runs at each factor point
 * @param seed the seed of every choice
 * @param crashes how often the engine is killed after each run, to see what it lost; 0 for no crash
 *     test
 */
public record Replication(int repetitions, long seed, int crashes) {}
