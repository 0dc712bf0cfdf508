package io.isotail.ingest.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedDatabaseIT {
  @TempDir private Path kept;

  @AfterEach
  void forget() {
    System.clearProperty(EmbeddedDatabase.BINARIES);
  }

  @Test
  void binariesThatAreKeptAreUnpackedOnce() throws Exception {
    System.setProperty(EmbeddedDatabase.BINARIES, kept.toString());
    Path first;
    try (EmbeddedDatabase database = EmbeddedDatabase.start()) {
      first = database.directory();
      assertThat(first.resolve("binaries")).doesNotExist();
    }
    assertThat(first).doesNotExist();
    FileTime unpacked = Files.getLastModifiedTime(postgres());
    Files.writeString(postgres().resolveSibling("mark"), "");
    try (EmbeddedDatabase database = EmbeddedDatabase.start()) {
      assertThat(database.directory()).isNotEqualTo(first);
    }
    assertThat(postgres().resolveSibling("mark")).exists();
    assertThat(Files.getLastModifiedTime(postgres())).isEqualTo(unpacked);
  }

  private Path postgres() throws IOException {
    try (Stream<Path> files = Files.walk(kept)) {
      return files.filter(file -> file.endsWith("bin/postgres")).findFirst().orElseThrow();
    }
  }
}
