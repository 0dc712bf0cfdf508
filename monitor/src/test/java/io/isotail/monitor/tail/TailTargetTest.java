package io.isotail.monitor.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TailTargetTest {
  @Test
  void eachNodeHasAUrlOfItsOwn() {
    List<TailTarget> nodes =
        TailTarget.of(
            "jdbc:mariadb://a:1,b,[::1]:3/shop?user=u&sslMode=verify-full", new Properties());
    assertThat(nodes)
        .extracting(TailTarget::url)
        .containsExactly(
            "jdbc:mariadb://a:1/shop?user=u&sslMode=verify-full",
            "jdbc:mariadb://b/shop?user=u&sslMode=verify-full",
            "jdbc:mariadb://[::1]:3/shop?user=u&sslMode=verify-full");
    assertThat(nodes).extracting(TailTarget::address).containsExactly("a:1", "b:3306", "::1:3");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:mariadb://a:1,/shop?user=u",
        "jdbc:mariadb://,a/shop?user=u",
        "jdbc:mariadb://a:b/shop?user=u",
        "jdbc:mariadb://a?user=u",
        "jdbc:mariadb:///shop?user=u"
      })
  void whatIsNoUrlOfServersIsSaid(String url) {
    assertThatThrownBy(() -> TailTarget.of(url, new Properties()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--url cannot be read; expected jdbc:mariadb://HOST:PORT/DATABASE");
  }
}
