package kvrank.provision.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {

  @TempDir Path folder;

  @Test
  void isFreshAndIsDeletedWithItsContents() throws Exception {
    DataFolder data = DataFolder.create(folder.resolve("runs/1/data"));
    Path outside = Files.writeString(folder.resolve("outside"), "stays");
    data.write(new TreeMap<>(Map.of("conf/a.conf", "x\n")), false);
    Files.createSymbolicLink(data.path().resolve("link"), outside);
    assertThat(data.path().resolve("conf/a.conf")).hasContent("x\n");
    data.delete();
    data.delete();
    assertThat(data.path()).doesNotExist();
    assertThat(data.path().getParent()).exists();
    assertThat(outside).exists();
  }

  @Test
  void refusesAFolderThatExists() {
    assertThatThrownBy(() -> DataFolder.create(folder))
        .isInstanceOf(ProvisionException.class)
        .hasMessage("the data folder '" + folder + "' exists already; a run needs a fresh one");
  }

  @Test
  void refusesAPlaceWhereAnotherUserCouldReplaceIt() throws Exception {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(() -> DataFolder.create(folder.resolve("data")))
        .isInstanceOf(ProvisionException.class)
        .hasMessageContaining("data' cannot be created: another user can replace '" + folder);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void refusesAFileOutside() throws Exception {
    DataFolder data = DataFolder.create(folder.resolve("data"));
    assertThatThrownBy(() -> data.write(new TreeMap<>(Map.of("../x", "")), false))
        .isInstanceOf(ProvisionException.class);
    assertThat(folder.resolve("x")).doesNotExist();
  }

  @Test
  void namesFilesThatRemain() throws Exception {
    DataFolder data = DataFolder.create(folder.resolve("data"));
    Path locked = Files.createDirectory(data.path().resolve("locked"));
    Path kept = Files.writeString(locked.resolve("kept"), "");
    Path gone = Files.writeString(data.path().resolve("gone"), "");
    assertThat(locked.toFile().setWritable(false)).isTrue();
    try {
      // Root may delete it nevertheless: then there is no problem to report.
      if (Files.isWritable(locked)) {
        data.delete();
        assertThat(data.path()).doesNotExist();
      } else {
        assertThatThrownBy(data::delete)
            .isInstanceOf(IOException.class)
            .hasMessageContaining(kept.toString());
        assertThat(gone).doesNotExist();
      }
    } finally {
      locked.toFile().setWritable(true);
    }
  }
}
