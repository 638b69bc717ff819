package kvrank.worker;

import site.ycsb.DBException;

/** A {@link MemoryBinding} that prints, as YCSB's bindings do. */
public final class TalkativeBinding extends MemoryBinding {

  @Override
  public void init() throws DBException {
    System.out.println("the binding says hello");
    super.init();
  }
}
