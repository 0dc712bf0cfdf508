package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import io.isotail.ingest.proxy.Await;
import io.isotail.ingest.proxy.CapturedProxy;
import io.isotail.ingest.proxy.ProxyStats.Count;
import io.isotail.ingest.proxy.ProxyStats.StartFailure;
import io.isotail.ingest.proxy.ScriptedServer;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Logins by password, md5 and SCRAM, which the proxy relays or takes itself, with messages of both
 * sides spoilt: nothing fails, no connection stays, and nobody is let in with a wrong password.
 */
class WireLoginFuzzIT {
  private static final int RUNS = Integer.getInteger("isotail.random.starts", 25);
  private static final long SEED = Seeds.FRESH;

  /** Of ann alone the proxy has the secret. */
  private static final List<String> USERS = List.of("ann", "ann", "ann_relayed", "ann_md5", "bob");

  @TempDir static Path folder;
  private static EmbeddedDatabase database;
  private static Path secrets;

  private final AtomicLong spoilt = new AtomicLong();
  private final AtomicLong served = new AtomicLong();
  private volatile int frontPort;

  @BeforeAll
  static void startDatabase() throws Exception {
    Path access =
        Files.writeString(
            folder.resolve("pg_hba.conf"),
            """
            host all postgres all trust
            host all ann_md5 all md5
            host all bob all password
            host all all all scram-sha-256
            """);
    database = EmbeddedDatabase.start(Map.of("hba_file", access.toString()));
    try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
        Statement statement = connection.createStatement()) {
      for (String user : List.of("ann", "ann_relayed", "bob")) {
        statement.execute("CREATE ROLE " + user + " LOGIN PASSWORD 'right'");
      }
      statement.execute(
          "SET password_encryption = 'md5'; CREATE ROLE ann_md5 LOGIN PASSWORD 'right'");
      try (ResultSet row =
          statement.executeQuery("SELECT rolpassword FROM pg_authid WHERE rolname = 'ann'")) {
        row.next();
        secrets =
            Files.writeString(
                folder.resolve("secrets.txt"), "\"ann\" \"%s\"\n".formatted(row.getString(1)));
      }
    }
  }

  @AfterAll
  static void stopDatabase() throws IOException {
    database.close();
  }

  @Test
  void nothingFailsStaysOrLetsAnybodyIn() throws Exception {
    int in = 0;
    try (ScriptedServer server = new ScriptedServer(this::spoilServer);
        CapturedProxy proxy =
            new CapturedProxy(server.address(), config -> config.withSecrets(secrets));
        ScriptedServer front = new ScriptedServer(this::spoilClient)) {
      frontPort = proxy.port();
      for (int run = 0; run < RUNS; run++) {
        Random random = Seeds.random(SEED + run);
        boolean right = random.nextInt(4) > 0;
        boolean isIn =
            isLetIn(
                front.address().port(),
                USERS.get(random.nextInt(USERS.size())),
                right ? "right" : "wrong");
        in += isIn ? 1 : 0;
        assertThat(isIn && !right).as("let in; seed %d", SEED + run).isFalse();
      }
      proxy.awaitNone(SEED);
      Await.until("no session is left; seed " + SEED, () -> server.open() == 0);
      proxy.check(SEED, true);
      System.out.printf(
          "seed %d: %,d logins, %,d messages spoilt, %,d let in, %,d by the proxy, %,d refused by"
              + " it%n",
          SEED,
          RUNS,
          spoilt.get(),
          in,
          proxy.stats().get(Count.LOGINS),
          proxy.stats().get(StartFailure.LOGIN));
    }
    assertThat(spoilt.get()).isPositive();
    assertThat(in).isBetween(1, RUNS - 1);
  }

  private static boolean isLetIn(int port, String user, String password) {
    String url =
        "jdbc:postgresql://127.0.0.1:%d/postgres?user=%s&password=%s&sslmode=disable"
            + "&channelBinding=disable&connectTimeout=1&socketTimeout=1";
    try (Connection connection = DriverManager.getConnection(url.formatted(port, user, password));
        Statement statement = connection.createStatement()) {
      return statement.execute("SELECT 1");
    } catch (SQLException | RuntimeException | AssertionError | LinkageError e) {
      return false; // Of errors, the driver throws some over messages that are spoilt.
    }
  }

  private WireMutations mutations() {
    return new WireMutations(Seeds.random(SEED ^ served.incrementAndGet()), 6);
  }

  private void spoilServer(Socket socket) throws IOException {
    WireMutations mutations = mutations();
    try {
      mutations.ofServer(socket, database.port(), (number, type) -> type == 'R');
    } finally {
      spoilt.addAndGet(mutations.mutations());
    }
  }

  private void spoilClient(Socket client) throws IOException {
    WireMutations mutations = mutations();
    try (Socket proxy = new Socket(InetAddress.getLoopbackAddress(), frontPort)) {
      proxy.setTcpNoDelay(true);
      CompletableFuture<Void> answers =
          CompletableFuture.runAsync(() -> WireMutations.passMessages(proxy, client));
      DataInputStream in = new DataInputStream(client.getInputStream());
      byte[] start = new byte[in.readInt()];
      ByteBuffer.wrap(start).putInt(start.length);
      in.readFully(start, Integer.BYTES, start.length - Integer.BYTES);
      proxy.getOutputStream().write(start);
      byte[] message = WireMutations.read(in);
      while (message.length > 0) {
        proxy.getOutputStream().write(message[0] == 'p' ? mutations.next(message) : message);
        message = WireMutations.read(in);
      }
      proxy.shutdownOutput();
      answers.join();
    } finally {
      spoilt.addAndGet(mutations.mutations());
    }
  }
}
