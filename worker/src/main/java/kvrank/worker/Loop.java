package kvrank.worker;

/** How one thread of a phase goes through its requests. */
interface Loop {

  /**
   * Applies requests until there are no more, the time is over or the phase has been stopped.
   *
   * @param origin the start, as {@link System#nanoTime} told it
   * @throws WorkerException if it is hopeless
   */
  void run(long origin) throws WorkerException;
}
