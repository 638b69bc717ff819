package kvrank.launcher;

import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Slurm cluster on this machine: its nodes are network namespaces, behind one bridge.
 *
 * @param folder where its files are
 * @param nodes how many there are, {@code kvr-n1} and so on; the third has a clock 3 s ahead
 */
record SlurmCluster(Path folder, int nodes) implements AutoCloseable {

  /** The address of this machine on the bridge, where Redis listens. */
  static final String HOST = "10.97.31.254";

  private static final String REDIS = "bindings/redis/target/bundled";

  /** Skips a test and prints the reason if there can be no cluster. */
  static void require() throws Exception {
    String probe =
        "test $(id -u) = 0 && command -v slurmctld slurmd srun sshd ssh && ip netns list"
            + " && ls /usr/lib/*/faketime/libfaketimeMT.so.1";
    if (sh(probe) != 0) {
      String reason =
          "SKIPPED: no Slurm cluster: needs root, ip netns, slurm-wlm, openssh-server and libfaketime";
      System.out.println(reason);
      if ("true".equals(System.getenv("KVRANK_REQUIRE_SLURM"))) {
        fail(reason);
      }
      abort(reason);
    }
  }

  static SlurmCluster start(Path folder, int nodes) throws Exception {
    SlurmCluster cluster = new SlurmCluster(folder, nodes);
    cluster.close();
    Files.createDirectories(folder.resolve("state"));
    Files.createDirectories(folder.resolve("spool"));
    Files.writeString(folder.resolve("cgroup.conf"), "CgroupPlugin=cgroup/v1\n");
    Path clock = folder.resolve("clock.sh");
    Files.writeString(
        clock,
        """
        #!/bin/sh
        [ "$SLURMD_NODENAME" = kvr-n3 ] || exit 0
        echo export LD_PRELOAD=$(ls /usr/lib/*/faketime/libfaketimeMT.so.1)
        echo export FAKETIME=+3s FAKETIME_DONT_FAKE_MONOTONIC=1 FAKETIME_FORCE_MONOTONIC_FIX=0
        """
            .replace(" FAKETIME_", "\necho export FAKETIME_"));
    Files.writeString(
        cluster.conf(),
        """
        ClusterName=kvr
        SlurmctldHost=%s(%s)
        SlurmUser=root
        AuthType=auth/none
        CredType=cred/none
        ProctrackType=proctrack/linuxproc
        TaskPlugin=task/none
        TaskProlog=%s
        ReturnToService=2
        SlurmctldPort=16817
        SlurmdPort=16818
        StateSaveLocation=%s/state
        SlurmdSpoolDir=%s/spool/%%n
        SlurmctldPidFile=%s/slurmctld.pid
        SlurmdPidFile=%s/slurmd.%%n.pid
        SlurmctldLogFile=%s/slurmctld.log
        SlurmdLogFile=%s/slurmd.%%n.log
        NodeName=kvr-n[1-%d] NodeAddr=10.97.31.[1-%d] CPUs=2
        PartitionName=load Nodes=ALL Default=YES
        """
            .formatted(
                Files.readString(Path.of("/proc/sys/kernel/hostname")).strip(),
                HOST,
                clock,
                folder,
                folder,
                folder,
                folder,
                folder,
                folder,
                nodes,
                nodes));
    sh("chmod +x " + clock);
    StringBuilder made =
        new StringBuilder("set -e; ip link add kvr-br type bridge; ip link set kvr-br up\n");
    made.append("ip addr add " + HOST + "/24 dev kvr-br\n");
    for (int node = 1; node <= nodes; node++) {
      made.append(
          """
          ip netns add kvr-n%1$d
          ip link add kvr-v%1$d type veth peer name eth0 netns kvr-n%1$d
          ip link set kvr-v%1$d master kvr-br up
          ip -n kvr-n%1$d addr add 10.97.31.%1$d/24 dev eth0
          ip -n kvr-n%1$d link set eth0 up
          ip -n kvr-n%1$d link set lo up
          """
              .formatted(node));
    }
    made.append("export SLURM_CONF=" + cluster.conf() + "\nslurmctld -c\n");
    for (int node = 1; node <= nodes; node++) {
      made.append("ip netns exec kvr-n%1$d slurmd -N kvr-n%1$d\n".formatted(node));
    }
    try {
      if (sh(made.toString()) != 0) {
        throw new IOException("the cluster did not start; see " + folder);
      }
      cluster.awaitIdle();
      return cluster;
    } catch (Exception e) {
      cluster.close();
      throw e;
    }
  }

  Path conf() {
    return folder.resolve("slurm.conf");
  }

  /**
   * Starts Redis again, at port 6399: what a node had sent when it was cut off comes when it is
   * connected again, to an end of the connection that is no more.
   */
  void startRedis() throws IOException {
    Path pidFile = folder.resolve("redis.pid");
    end(pidFile);
    try (Stream<Path> files = Files.list(InstalledKvrank.PROJECT.resolve(REDIS))) {
      Path redis =
          files.filter(each -> each.toString().endsWith("linux-amd64")).findFirst().orElseThrow();
      String start =
          "chmod +x %1$s && %1$s --bind %2$s --port 6399 --protected-mode no --save '' --daemonize yes --pidfile %3$s";
      if (sh(start.formatted(redis, HOST, pidFile)) != 0) {
        throw new IOException("Redis did not start at " + HOST);
      }
    }
  }

  /** Waits until all nodes are there and have no job: one that was ended goes by and by. */
  void awaitIdle() throws IOException {
    String idle =
        "export SLURM_CONF=%s; for i in $(seq 600); do sinfo -h -o '%%t %%D' | grep -q '^idle %d$'"
            + " && exit 0; sleep 0.1; done; exit 1";
    if (sh(idle.formatted(conf(), nodes)) != 0) {
      throw new IOException("not all nodes are idle; see " + folder);
    }
  }

  /**
   * Starts an SSH server on every node.
   *
   * @return a folder with the {@code ssh} that has a key for them and knows theirs
   */
  Path ssh() throws IOException {
    String script =
        """
        set -e; mkdir -p ssh /run/sshd; cd ssh
        ssh-keygen -q -t ed25519 -N '' -f host; ssh-keygen -q -t ed25519 -N '' -f user
        chmod 700 .; cp user.pub authorized; echo "10.97.31.* $(cat host.pub)" >known
        printf '#!/bin/sh\nexec %s -F none -i %s/user -o UserKnownHostsFile=%s/known "$@"\n' \
          "$(command -v ssh)" "$PWD" "$PWD" >ssh
        chmod +x ssh
        printf 'HostKey %s/host\nAuthorizedKeysFile %s/authorized\nStrictModes no\n' \
          "$PWD" "$PWD" >sshd.conf
        for n in $(seq NODES); do
          ip netns exec kvr-n$n "$(command -v sshd)" -f "$PWD/sshd.conf" \
            -o ListenAddress=10.97.31.$n -o PidFile="$PWD/$n.pid"
        done
        """;
    if (sh("cd " + folder + "\n" + script.replace("NODES", Integer.toString(nodes))) != 0) {
      throw new IOException("the nodes' SSH servers did not start; see " + folder);
    }
    return folder.resolve("ssh");
  }

  /** Connects a node, or cuts it off. */
  void link(int node, String state) throws IOException {
    if (sh("ip link set kvr-v%d %s".formatted(node, state)) != 0) {
      throw new IOException("the link of node " + node + " cannot be " + state);
    }
  }

  private static int sh(String script) throws IOException {
    Process process =
        new ProcessBuilder("sh", "-c", script)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    return process.onExit().join().exitValue();
  }

  /** Removes the cluster, or one that an earlier test left. */
  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".pid")).toList()) {
        end(file);
      }
    }
    for (String each : List.of("n1", "n2", "n3", "n4")) {
      sh("ip netns pids kvr-%1$s | xargs -r kill -9; ip netns del kvr-%1$s".formatted(each));
    }
    sh("ip link del kvr-br");
  }

  private static void end(Path pidFile) throws IOException {
    if (Files.exists(pidFile)) {
      long pid = Long.parseLong(Files.readString(pidFile, StandardCharsets.UTF_8).strip());
      ProcessHandle.of(pid)
          .ifPresent(
              each -> {
                each.destroy();
                each.onExit().completeOnTimeout(each, 5, TimeUnit.SECONDS).join();
                each.destroyForcibly();
              });
    }
  }
}
