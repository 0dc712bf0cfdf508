package io.isotail.ingest.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What loads a sandbox gives way to what watches it. */
@EnabledOnOs(OS.LINUX)
class BackgroundIT {
  @Test
  void a_thread_gives_way_alone() throws Exception {
    FutureTask<Integer> niceness =
        new FutureTask<>(
            () -> {
              Background.enter();
              return niceness(Path.of("/proc/thread-self"));
            });
    Thread thread = new Thread(niceness, "gives way");
    thread.start();

    assertThat(niceness.get()).isEqualTo(10);
    assertThat(niceness(Path.of("/proc/thread-self"))).isLessThan(10);
  }

  @Test
  void a_session_of_the_database_gives_way() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start()) {
      database.giveWay();
      try (var connection = java.sql.DriverManager.getConnection(database.jdbcUrl());
          var result = connection.createStatement().executeQuery("SELECT pg_backend_pid()")) {
        result.next();

        assertThat(niceness(Path.of("/proc/" + result.getInt(1)))).isEqualTo(10);
      }
    }
  }

  private static int niceness(Path of) throws IOException {
    String stat = Files.readString(of.resolve("stat"));
    // The name of the program, in brackets, may contain spaces; niceness is the 17th after it.
    return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[16]);
  }
}
