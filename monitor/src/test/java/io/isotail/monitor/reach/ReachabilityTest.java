package io.isotail.monitor.reach;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whether a server answers, and the words for why not. */
@Timeout(30)
final class ReachabilityTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @Test
  void eachServerIsNamedWithItsCause() throws Exception {
    assertThat(Reachability.problem("127.0.0.1:1,host.invalid:9092", PATIENCE))
        .isEqualTo("127.0.0.1:1: connection refused; host.invalid:9092: no such host name");
    assertThat(Reachability.problem("[::1]:1", PATIENCE)).startsWith("[::1]:1: ");
    assertThat(Reachability.brokers("127.0.0.1:1"))
        .isEqualTo("no broker answers: 127.0.0.1:1: connection refused");
  }

  @Test
  void oneThatAnswersIsEnough() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String there = "127.0.0.1:" + server.getLocalPort();
      assertThat(Reachability.problem(there, PATIENCE)).isNull();
      assertThat(Reachability.problem("127.0.0.1:1, " + there, PATIENCE)).isNull();
      assertThat(Reachability.problem("SASL_SSL://" + there, PATIENCE)).isNull();
    }
  }

  @Test
  void whatIsNoAddressIsLeftToTheClient() throws Exception {
    assertThat(Reachability.problem("", PATIENCE)).isNull();
    assertThat(Reachability.problem("nothing", PATIENCE)).isNull();
    assertThat(Reachability.problem("127.0.0.1:99999", PATIENCE)).contains("out of range");
  }

  @Test
  void patienceIsABoundWhateverTheHostDoes() throws Exception {
    long startNs = System.nanoTime();
    assertThat(Reachability.problem("192.0.2.1:9", Duration.ofMillis(200)))
        .startsWith("192.0.2.1:9: ");
    assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void causesAreTakenFromWhereverTheyAre() {
    assertThat(Cause.of(new SQLException("failed", new UnknownHostException("h"))))
        .isEqualTo("no such host name");
    assertThat(Cause.of(new SocketTimeoutException("x"))).isEqualTo("no answer in time");
    assertThat(Cause.of(new ConnectException("Network is unreachable")))
        .isEqualTo("the network is unreachable");
    assertThat(Cause.of(new IllegalStateException("outer", new IllegalStateException("inner"))))
        .isEqualTo("inner");
    assertThat(Cause.ofNetwork(new SQLException("no table"))).isNull();
  }

  @Test
  void ofADatabaseHostAndPortAreTold() {
    SQLException refused = new SQLException("x", new ConnectException("Connection refused"));
    assertThat(DatabaseFailure.words(refused, "jdbc:postgresql://me:hush@db/shop?password=hush"))
        .isEqualTo("no database answers at db:5432: connection refused");
    assertThat(DatabaseFailure.words(refused, "jdbc:postgresql://a:1,b:2/shop"))
        .isEqualTo("no database answers at a:1,b:2: connection refused");
    assertThat(DatabaseFailure.words(refused, "jdbc:postgresql:shop"))
        .isEqualTo("no database answers at localhost:5432: connection refused");
    assertThat(DatabaseFailure.words(refused, "jdbc:mariadb://db:3306/shop"))
        .isEqualTo("no database answers at db:3306: connection refused");
    assertThat(DatabaseFailure.words(new SQLException("no such role"), "jdbc:postgresql://db/x"))
        .isEqualTo("the database says: no such role");
  }
}
