package kvrank.provision.host;

import java.nio.file.Path;
import kvrank.engine.Fsync;
import kvrank.engine.ProvisionMethod;
import kvrank.provision.LocalProvisioner;
import kvrank.provision.server.Server;
import kvrank.provision.server.ServerSpec;
import kvrank.provision.server.TestRedis;

/** A kvrank of its own that starts Redis, reports it and then waits to be killed. */
final class OwnerMain {

  private OwnerMain() {}

  /** The arguments: a folder for all files, the method, its argument. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    TestRedis redis = new TestRedis(folder.resolve("redis"));
    ProvisionMethod method = ProvisionMethod.valueOf(arguments[1]);
    if (method == ProvisionMethod.BUNDLED) {
      redis.bundled();
    } else {
      redis.by(method, arguments[2]);
    }
    LocalProvisioner provisioning = new LocalProvisioner(System.getenv(), line -> {});
    Runtime.getRuntime().addShutdownHook(new Thread(provisioning::close));
    ServerSpec spec =
        provisioning
            .choose(redis.spec(), Fsync.OFF, folder.resolve("da ta"), folder.resolve("server.log"))
            .orElseThrow();
    Server server = provisioning.start(spec);
    System.out.println(server.pid().orElseThrow());
    Thread.sleep(Long.MAX_VALUE);
  }
}
