package kvrank.provision.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import kvrank.provision.host.Executables;
import kvrank.scenario.CrashTest.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class VolatileDiskTest {

  private static final Executables NONE = new Executables(Map.of("PATH", ""));

  @Test
  @EnabledOnOs(OS.LINUX)
  void namesWhatIsMissingAndItsPackage() {
    assertThat(VolatileDisk.missing(FileSystem.XFS, NONE).orElseThrow())
        .contains("nsenter is not on the PATH: install util-linux")
        .endsWith(
            "mkfs.ext4 is not on the PATH: install e2fsprogs; mkfs.xfs is not on the PATH: install xfsprogs");
    assertThat(VolatileDisk.missing(FileSystem.EXT4, NONE).orElseThrow())
        .endsWith("mkfs.ext4 is not on the PATH: install e2fsprogs");
  }
}
