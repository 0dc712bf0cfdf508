package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.DriverManager;
import java.util.Properties;
import org.junit.jupiter.api.Test;

final class LoginTimeoutTest {
  private static final String URL = "jdbc:postgresql://db/shop";

  private static long waitMs(String url, String property, int ofSourceSeconds, int startWaitMs) {
    Properties properties = new Properties();
    properties.setProperty("loginTimeout", property);
    return LoginTimeout.of(url, properties, ofSourceSeconds).capNs(startWaitMs) / 1_000_000;
  }

  @Test
  void withoutALoginTimeoutTheWaitIsAsItIsSet() {
    assertThat(waitMs(URL, "", 0, 2_000)).isEqualTo(2_000);
    assertThat(waitMs(URL, "0", 0, Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
    assertThat(waitMs(URL + "?loginTimeout=soon", "soon", 0, 2_000)).isEqualTo(2_000);
    assertThat(waitMs(URL, "1", 1, 0)).isZero();
  }

  @Test
  void theWaitIsAtMostHalfOfTheShortestLoginTimeout() {
    assertThat(waitMs(URL, "", 30, 2_000)).isEqualTo(2_000);
    assertThat(waitMs(URL, "", 3, 2_000)).isEqualTo(1_500);
    assertThat(waitMs(URL, "1", 3, 2_000)).isEqualTo(500);
    assertThat(waitMs(URL + "?x=y&loginTimeout=0.5&z=1", "1", 3, 2_000)).isEqualTo(250);
    int before = DriverManager.getLoginTimeout();
    DriverManager.setLoginTimeout(1);
    try {
      assertThat(waitMs(URL, "", 3, 2_000)).isEqualTo(500);
    } finally {
      DriverManager.setLoginTimeout(before);
    }
  }
}
