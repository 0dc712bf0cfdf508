package io.isotail.ingest.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.ingest.proxy.ProxyConfig.Address;
import io.isotail.ingest.proxy.ProxyConfig.UpstreamTls;
import io.isotail.ingest.proxy.ProxyStats.Count;
import io.isotail.ingest.proxy.ProxyStats.StartFailure;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS on either side, and what it does to the ways to log in, with a real server. */
final class LoginIT {
  private static final String NO_TLS = "sslmode=disable";
  private static final String UNBOUND = "&channelBinding=disable";

  @TempDir static Path folder;
  private static EmbeddedDatabase database;
  private static TestCertificate ofServer;
  private static TestCertificate ofProxy;
  private static Path secrets;

  private @Nullable ProxyServer proxy;

  @BeforeAll
  static void startDatabase() throws Exception {
    ofServer = TestCertificate.in(folder, "server", "ip:127.0.0.1");
    ofProxy = TestCertificate.in(folder, "proxy", "ip:127.0.0.1,dns:localhost");
    Path access =
        Files.writeString(
            folder.resolve("pg_hba.conf"),
            """
            local all all trust
            host all postgres all trust
            host all ann_md5 all md5
            hostssl all ann_tls all scram-sha-256
            host all ann all scram-sha-256
            host all bob all scram-sha-256
            """);
    database =
        EmbeddedDatabase.start(
            Map.of(
                "ssl", "on",
                "ssl_cert_file", ofServer.chain().toString(),
                "ssl_key_file", ofServer.key().toString(),
                "hba_file", access.toString()));
    direct(
        "CREATE ROLE ann LOGIN PASSWORD 'secret of ann'",
        "CREATE ROLE bob LOGIN PASSWORD 'secret of bob'",
        "CREATE ROLE ann_tls LOGIN PASSWORD 'secret of ann'",
        "SET password_encryption = 'md5'; CREATE ROLE ann_md5 LOGIN PASSWORD 'secret of ann'");
    secrets = folder.resolve("secrets.txt");
    Files.writeString(
        secrets,
        "; users that log in at the proxy\n\"ann\" \"%s\"\n\"bob\" \"%s\"\n"
            .formatted(secretOf("ann"), secretOf("ann")));
  }

  @AfterAll
  static void stopDatabase() throws IOException {
    database.close();
  }

  @AfterEach
  void stop() {
    ProxyServer started = proxy;
    if (started != null) {
      Await.until("no connection is left", () -> started.stats().open() == 0);
      assertThat(started.stats().get(Count.INTERNAL_FAILURES)).isZero();
      started.close();
    }
  }

  private static void direct(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static String secretOf(String user) throws SQLException {
    try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT rolpassword FROM pg_authid WHERE rolname = '" + user + "'")) {
      row.next();
      return row.getString(1);
    }
  }

  private static ProxyConfig config(boolean clientTls, boolean serverTls) {
    ProxyConfig config =
        ProxyConfig.of(new Address("127.0.0.1", 0), new Address("127.0.0.1", database.port()));
    ProxyConfig towards = clientTls ? config.withClientTls(ofProxy.config()) : config;
    return serverTls ? towards.withUpstreamTls(UpstreamTls.VERIFY_FULL, ofServer.chain()) : towards;
  }

  private ProxyServer begin(ProxyConfig config) {
    ProxyServer started = ProxyServer.start(config, (p, h) -> Sight.EVERYTHING.open());
    proxy = started;
    return started;
  }

  private static String url(ProxyServer proxy, String user, String parameters) {
    return "jdbc:postgresql://127.0.0.1:%d/postgres?user=%s&password=secret%%20of%%20ann&%s"
        .formatted(proxy.port(), user, parameters);
  }

  private static String verifyingProxy() {
    return "sslmode=verify-full&sslrootcert=" + ofProxy.chain();
  }

  /** Whether the server sees TLS. */
  private static boolean serverSeesTls(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")) {
      assertThat(row.next()).isTrue();
      return row.getBoolean(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ann, false, false",
    "ann, true, false",
    "ann, false, true",
    "ann, true, true",
    "ann_md5, false, false",
    "ann_md5, true, true",
    "ann_tls, true, true",
    "postgres, false, true",
    "postgres, true, true"
  })
  void loginsAreRelayed(String user, boolean clientTls, boolean serverTls) throws SQLException {
    ProxyServer started = begin(config(clientTls, serverTls));
    String tls = clientTls ? verifyingProxy() : NO_TLS;
    assertThat(serverSeesTls(url(started, user, tls + UNBOUND))).isEqualTo(serverTls);
    assertThat(started.stats().get(Count.CLIENT_HANDSHAKES)).isEqualTo(clientTls ? 1 : 0);
    assertThat(started.stats().get(Count.SERVER_HANDSHAKES)).isEqualTo(serverTls ? 1 : 0);
    assertThat(started.stats().get(Count.LOGINS)).isZero();
  }

  private static String psql(ProxyServer proxy, String user, String tls, String binding)
      throws IOException, InterruptedException {
    return new Program(proxy.port())
        .run(
            Map.of(
                "PGHOST",
                "127.0.0.1",
                "PGUSER",
                user,
                "PGPASSWORD",
                "secret of ann",
                "PGSSLMODE",
                tls,
                "PGSSLROOTCERT",
                ofProxy.chain().toString(),
                "PGCHANNELBINDING",
                binding),
            "psql",
            "-At",
            "-c",
            "SELECT 7",
            "postgres");
  }

  @ParameterizedTest
  @CsvSource({"disable, false", "verify-full, false", "disable, true"})
  void libpqLogsInAsItIsWhereOneSideHasTls(String tls, boolean serverTls) throws Exception {
    ProxyServer started = begin(config(!tls.equals("disable"), serverTls));
    assertThat(psql(started, "ann", tls, "prefer")).isEqualTo("7\n");
  }

  @Test
  void libpqWithTlsOnBothSidesMustNotBindTheChannel() throws Exception {
    ProxyServer started = begin(config(true, true));
    assertThat(psql(started, "ann", "verify-full", "disable")).isEqualTo("7\n");
    // It says that it could bind and sees no offer: the server takes that for an attack.
    assertThatThrownBy(() -> psql(started, "ann", "verify-full", "prefer"))
        .hasMessageContaining("channel binding");
  }

  @Test
  void aClientThatInsistsOnBindingTheChannelIsRefused() {
    ProxyServer started = begin(config(true, false));
    assertThatThrownBy(() -> psql(started, "ann", "verify-full", "require"))
        .hasMessageContaining("channel binding");
  }

  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void aSecretThatTheProxyHasLetsClientsInAsTheyAre(boolean clientTls, boolean serverTls)
      throws Exception {
    ProxyServer started = begin(config(clientTls, serverTls).withSecrets(secrets));
    String tls = clientTls ? "verify-full" : "disable";
    assertThat(psql(started, "ann", tls, "prefer")).isEqualTo("7\n");
    assertThat(serverSeesTls(url(started, "ann", clientTls ? verifyingProxy() : NO_TLS)))
        .isEqualTo(serverTls);
    assertThat(started.stats().get(Count.LOGINS)).isEqualTo(2);
  }

  @Test
  void whoDoesNotKnowThePasswordIsRefusedByTheProxyToo() {
    ProxyServer started = begin(config(true, true).withSecrets(secrets));
    String url = url(started, "ann", verifyingProxy()).replace("secret%20of%20ann", "another");
    assertThatThrownBy(() -> DriverManager.getConnection(url))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
    assertThat(started.stats().get(StartFailure.LOGIN)).isEqualTo(1);
  }

  @Test
  void aSecretThatIsNotTheServersIsTold() {
    ProxyServer started = begin(config(true, true).withSecrets(secrets));
    // The file has ann's secret for bob, whose password is another one.
    assertThatThrownBy(() -> DriverManager.getConnection(url(started, "bob", verifyingProxy())))
        .hasMessageContaining("its secret of user \"bob\" is not the server's");
  }

  @Test
  void usersWhoseSecretTheProxyHasNotAreRelayed() throws SQLException {
    ProxyServer started = begin(config(true, true).withSecrets(secrets));
    assertThat(serverSeesTls(url(started, "ann_tls", verifyingProxy() + UNBOUND))).isTrue();
    assertThat(started.stats().get(Count.LOGINS)).isZero();
  }

  @Test
  void tlsMayBeginAtOnce() throws SQLException {
    ProxyServer started = begin(config(true, true));
    String url = url(started, "ann", verifyingProxy() + UNBOUND + "&sslNegotiation=direct");
    assertThat(serverSeesTls(url)).isTrue();
  }

  @Test
  void tlsThatBeginsAtOnceMustNameTheProtocol() throws Exception {
    ProxyServer started = begin(config(true, false));
    SSLContext trusting = SSLContext.getInstance("TLS");
    trusting.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
    try (SSLSocket client =
        (SSLSocket)
            trusting
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), started.port())) {
      client.setSoTimeout(20_000);
      try {
        client.getOutputStream().write(Packets.startUp("user", "postgres"));
        assertThat(client.getInputStream().read()).isEqualTo(-1);
      } catch (IOException e) {
        // Closed by the proxy, as the server does.
      }
    }
    Await.until("it is counted", () -> started.stats().get(StartFailure.CLIENT_TLS) == 1);
    assertThat(started.stats().get(Count.SESSIONS)).isZero();
  }

  @Test
  void encryptionIsNotAskedForWithinTls() throws Exception {
    ProxyServer started = begin(config(true, false));
    SSLContext trusting = SSLContext.getInstance("TLS");
    trusting.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
    for (byte[] request : List.of(Replies.TLS_REQUEST, Packets.GSS_REQUEST)) {
      try (Socket clear = new Socket(InetAddress.getLoopbackAddress(), started.port())) {
        clear.setSoTimeout(20_000);
        clear.getOutputStream().write(Replies.TLS_REQUEST);
        assertThat(clear.getInputStream().read()).isEqualTo('S');
        try (Socket client =
            trusting.getSocketFactory().createSocket(clear, "127.0.0.1", started.port(), true)) {
          client.getOutputStream().write(request);
          byte[] error = Packets.readMessage(client.getInputStream());
          assertThat(Packets.field(error, 'C')).isEqualTo("0A000");
        }
      }
    }
  }

  @Test
  void aStatementIsCancelledThroughTls() throws Exception {
    ProxyServer started = begin(config(true, true));
    try (Connection connection =
            DriverManager.getConnection(url(started, "postgres", verifyingProxy()));
        Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(1);
      assertThatThrownBy(() -> statement.execute("SELECT pg_sleep(60)"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
    }
    assertThat(started.stats().get(Count.CANCELS)).isEqualTo(1);
  }

  @Test
  void aNewCertificateIsTakenOverAndSessionsGoOn() throws Exception {
    Path chain = Files.copy(ofServer.chain(), folder.resolve("live.crt"));
    Path key = Files.copy(ofServer.key(), folder.resolve("live.key"));
    ProxyServer started =
        begin(config(false, false).withClientTls(new ProxyConfig.Certificate(chain, key)));
    String trusting = url(started, "postgres", "sslmode=verify-full&sslrootcert=" + chain);
    try (Connection before = DriverManager.getConnection(trusting);
        Statement statement = before.createStatement()) {
      assertThatThrownBy(
              () -> DriverManager.getConnection(url(started, "postgres", verifyingProxy())))
          .isInstanceOf(SQLException.class);
      Files.copy(ofProxy.chain(), chain, StandardCopyOption.REPLACE_EXISTING);
      assertThatThrownBy(started::reload).hasMessageContaining(chain.toString());
      assertThat(statement.execute("SELECT 1")).isTrue();
      Files.copy(ofProxy.key(), key, StandardCopyOption.REPLACE_EXISTING);
      started.reload();
      assertThat(serverSeesTls(url(started, "postgres", verifyingProxy()))).isFalse();
      assertThat(statement.execute("SELECT 1")).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"require", "verify-ca", "verify-full"})
  void aServerWithoutTlsIsNotUsedWhereItIsAskedFor(String mode) throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(
            socket -> {
              Packets.readStart(socket.getInputStream());
              socket.getOutputStream().write('N');
              socket.getInputStream().read();
            })) {
      ProxyServer started =
          begin(
              ProxyConfig.of(new Address("127.0.0.1", 0), server.address())
                  .withUpstreamTls(UpstreamTls.ofLabel(mode), ofServer.chain()));
      assertThat(startUp(started)).contains("has no TLS");
      assertThat(started.stats().get(StartFailure.SERVER_TLS)).isEqualTo(1);
    }
  }

  /** The message of the error that a start-up message is answered by. */
  private static String startUp(ProxyServer proxy) throws IOException {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
      client.setSoTimeout(20_000);
      client.getOutputStream().write(Packets.startUp("user", "postgres"));
      byte[] answer = Packets.readMessage(client.getInputStream());
      return answer[0] == 'E' ? Packets.field(answer, 'M') : "let in";
    }
  }

  @ParameterizedTest
  @CsvSource({
    "prefer, proxy, 127.0.0.1, let in",
    "require, none, 127.0.0.1, let in",
    "require, proxy, 127.0.0.1, TLS failed",
    "verify-ca, server, 127.0.0.1, let in",
    "verify-ca, server, localhost, let in",
    "verify-ca, proxy, 127.0.0.1, TLS failed",
    "verify-full, server, 127.0.0.1, let in",
    "verify-full, server, localhost, TLS failed",
    "verify-full, proxy, 127.0.0.1, TLS failed"
  })
  void theServerIsVerifiedAsFarAsIsAskedFor(String mode, String ca, String host, String end)
      throws IOException {
    Path file =
        switch (ca) {
          case "proxy" -> ofProxy.chain();
          case "server" -> ofServer.chain();
          default -> null;
        };
    ProxyServer started =
        begin(
            ProxyConfig.of(new Address("127.0.0.1", 0), new Address(host, database.port()))
                .withUpstreamTls(UpstreamTls.ofLabel(mode), file));
    assertThat(startUp(started)).contains(end);
  }

  @Test
  void withoutACertificateTlsIsRefusedAsAServerDoes() throws SQLException {
    ProxyServer started = begin(config(false, false));
    assertThat(serverSeesTls(url(started, "postgres", "sslmode=prefer"))).isFalse();
    assertThatThrownBy(
            () -> DriverManager.getConnection(url(started, "postgres", "sslmode=require")))
        .hasMessageContaining("does not support SSL");
  }

  @Test
  void filesThatCannotBeUsedAreNamed() throws IOException {
    Path none = folder.resolve("none.pem");
    Path bad = Files.writeString(folder.resolve("bad.txt"), "\"ann\" \"a password in clear\"\n");
    assertThatThrownBy(
            () ->
                begin(
                    config(false, false)
                        .withClientTls(new ProxyConfig.Certificate(none, ofProxy.key()))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("none.pem");
    assertThatThrownBy(() -> begin(config(false, true).withUpstreamTls(UpstreamTls.REQUIRE, none)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("none.pem");
    assertThatThrownBy(() -> begin(config(false, false).withSecrets(bad)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bad.txt:1")
        .hasMessageNotContaining("clear");
  }
}
