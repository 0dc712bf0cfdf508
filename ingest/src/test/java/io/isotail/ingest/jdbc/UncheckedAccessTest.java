package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UncheckedAccessTest {
  @TempDir private Path folder;

  @Test
  void aMethodIsThatOfThePublicClassThatHasIt() throws Exception {
    Method add = java.util.List.class.getMethod("add", Object.class);
    assertThat(UncheckedAccess.ofClass(java.util.ArrayList.class, add).getDeclaringClass())
        .isEqualTo(java.util.ArrayList.class);
    assertThat(UncheckedAccess.ofClass(java.util.List.of().getClass(), add)).isEqualTo(add);
  }

  /** As of a wrapper whose optional library an application does without. */
  @Test
  void aClassThatNamesOneThatIsNotThereIsLeftAlone() throws Exception {
    Path source = folder.resolve("Real.java");
    Files.writeString(
        source,
        """
        public class Real implements Runnable {
          public void run() {}
          public void use(Optional missing) {}
        }
        class Optional {}
        """);
    int compiled = ToolProvider.getSystemJavaCompiler().run(null, null, null, source.toString());
    assertThat(compiled).isZero();
    Files.delete(folder.resolve("Optional.class"));
    Method run = Runnable.class.getMethod("run");
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      Class<?> real = loader.loadClass("Real");
      assertThatThrownBy(real::getMethods).isInstanceOf(NoClassDefFoundError.class);
      assertThat(UncheckedAccess.ofClass(real, run)).isEqualTo(run);
    }
  }
}
