package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import kvrank.Skip;
import kvrank.Wording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class ShortageWatchTest {

  @RegisterExtension final Wording wording = new Wording();

  @TempDir private Path folder;

  @Test
  void aDiskThatWasFullIsRememberedOnceItIsFreeAgain() throws Exception {
    if (run("mount", "-t", "tmpfs", "-o", "size=32m", "none", folder.toString()) != 0) {
      Skip.test("no disk is filled", "only root can mount a tmpfs");
    }
    try (ShortageWatch space = new ShortageWatch(Optional.of(folder))) {
      assertThat(space.shortage()).isEmpty();
      Path fill = Files.write(folder.resolve("fill"), new byte[32 << 20]);
      assertThat(space.shortage()).isPresent();
      Files.delete(fill);
      assertThat(space.shortage())
          .contains("the disk of '%s' had only 0 KiB left; free some space".formatted(folder));
    } finally {
      assertThat(run("umount", folder.toString())).isZero();
    }
  }

  @Test
  void aRemovedFolderIsNotAFullDisk() throws Exception {
    try (ShortageWatch space = new ShortageWatch(Optional.of(folder.resolve("removed")))) {
      assertThat(space.shortage()).isEmpty();
    }
  }

  /** Packets of connections for which a firewall has no room are dropped. */
  @Test
  void connectionsThatFilledTheFirewallAreRememberedOnceTheyAreOver() throws Exception {
    Path filter = Files.createDirectories(folder.resolve("sys/net/netfilter"));
    Path count = Files.writeString(filter.resolve("nf_conntrack_count"), "12\n");
    Files.writeString(filter.resolve("nf_conntrack_max"), "262144\n");
    try (ShortageWatch watch = new ShortageWatch(Optional.empty(), folder, List.of())) {
      assertThat(watch.shortage()).isEmpty();
      Files.writeString(count, "262144\n");
      assertThat(watch.shortage()).isPresent();
      Files.writeString(count, "12\n");
      wording.check(watch.shortage().orElseThrow());
    }
  }

  @Test
  void threadsThatWereTakenAreRememberedOnceTheyAreFreeAgain() throws Exception {
    Path kernel = Files.createDirectories(folder.resolve("sys/kernel"));
    Files.writeString(kernel.resolve("pid_max"), "1000\n");
    Files.writeString(kernel.resolve("threads-max"), "5000\n");
    Path load = Files.writeString(folder.resolve("loadavg"), "0.10 0.20 0.30 1/107 4711\n");
    try (ShortageWatch watch = new ShortageWatch(Optional.empty(), folder, List.of())) {
      assertThat(watch.shortage()).isEmpty();
      Files.writeString(load, "0.10 0.20 0.30 1/700 4711\n");
      assertThat(watch.shortage()).isPresent();
      Files.writeString(load, "0.10 0.20 0.30 1/107 4711\n");
      wording.check(watch.shortage().orElseThrow());
    }
  }

  @Test
  void aThreadThatAControlGroupRefusesIsAShortage() throws Exception {
    Path events = Files.writeString(folder.resolve("pids.events"), "max 3\n");
    List<Path> groups = List.of(folder, folder.resolve("root"));
    try (ShortageWatch watch = new ShortageWatch(Optional.empty(), folder, groups)) {
      assertThat(watch.shortage()).isEmpty();
      Files.writeString(events, "max 4\n");
      wording.check(watch.shortage().orElseThrow());
    }
  }

  @Test
  void memoryForTcpThatWasTakenIsRememberedOnceItIsFreeAgain() throws Exception {
    Files.createDirectories(folder.resolve("sys/net/ipv4"));
    Files.writeString(folder.resolve("sys/net/ipv4/tcp_mem"), "1000\t2000\t3000\n");
    String quiet = "sockets: used 19\nTCP: inuse 1 orphan 0 tw 0 alloc 1 mem 1000\nUDP: mem 0\n";
    Path sockets = Files.createDirectories(folder.resolve("net")).resolve("sockstat");
    Files.writeString(sockets, quiet);
    try (ShortageWatch watch = new ShortageWatch(Optional.empty(), folder, List.of())) {
      assertThat(watch.shortage()).isEmpty();
      Files.writeString(sockets, quiet.replace("mem 1000", "mem 1001"));
      assertThat(ShortageWatch.tcpIsShort(folder)).isTrue();
      assertThat(watch.shortage()).isPresent();
      Files.writeString(sockets, quiet);
      assertThat(ShortageWatch.tcpIsShort(folder)).isFalse();
      wording.check(watch.shortage().orElseThrow());
    }
    assertThat(ShortageWatch.tcpIsShort(folder.resolve("none"))).isFalse();
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }
}
