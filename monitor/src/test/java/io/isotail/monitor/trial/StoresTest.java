package io.isotail.monitor.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.ingest.store.RegisterStore;
import io.isotail.ingest.store.StoreProvider;
import io.isotail.monitor.stores.RedisProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which store is found by a URL. */
final class StoresTest {
  @TempDir private Path folder;

  /** Named by a jar alone. */
  public static final class OfJar implements StoreProvider {
    @Override
    public String scheme() {
      return "of-jar";
    }

    @Override
    public RegisterStore connect(String url, Properties login, String space) throws IOException {
      throw new IOException("nobody answers for " + space);
    }
  }

  @Test
  void aStoreIsFoundByTheSchemeOfItsUrl() {
    assertThat(Stores.provider("redis://h:1", List.of())).isInstanceOf(RedisProvider.class);
    assertThat(Stores.provider("REDIS://h:1", List.of())).isInstanceOf(RedisProvider.class);
    assertThat(Stores.isStore("redis://h:1")).isTrue();
    assertThat(Stores.isStore("jdbc:postgresql://h/d")).isFalse();
  }

  @Test
  void aJarBringsAnotherStore() throws Exception {
    Path jar = jar(OfJar.class.getName());
    StoreProvider found = Stores.provider("of-jar:x", List.of(jar));
    assertThat(found).isInstanceOf(OfJar.class);
    assertThatThrownBy(() -> UserStore.connect(found, "of-jar:x", new Properties()))
        .isInstanceOf(TrialException.class)
        .hasMessageMatching(
            "the of-jar store does not answer: nobody answers for isotail_[0-9a-f]+");
  }

  @Test
  void aUrlThatNobodyTakesIsToldWhatThereIs() throws Exception {
    assertThatThrownBy(() -> Stores.provider("mongodb://u:secret@h", List.of()))
        .hasMessageContaining("'mongodb:'")
        .hasMessageContaining("one of jdbc:, redis:, zookeeper:, or one in --driver-jar FILE")
        .hasMessageNotContaining("secret");
    Path broken = jar("no.such.Store");
    assertThatThrownBy(() -> Stores.provider("mongodb://h", List.of(broken)))
        .hasMessageContaining("could not be loaded")
        .hasMessageContaining("no.such.Store");
    assertThatThrownBy(() -> Stores.provider("x", List.of(folder)))
        .hasMessageContaining("expected a jar file");
  }

  private Path jar(String provider) throws IOException {
    Path jar = folder.resolve(provider + ".jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new ZipEntry("META-INF/services/" + StoreProvider.class.getName()));
      out.write(provider.getBytes(StandardCharsets.UTF_8));
      out.closeEntry();
    }
    return jar;
  }
}
