package io.isotail.ingest.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.Origin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SqlCommenterTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

  @Test
  void everythingThatLeadsToCodeIsRead() {
    assertThat(
            SqlCommenter.read(
                "action='show',application='shop',controller='Orders',db_driver='x',"
                    + "route='%2Forders%2F%7Bid%7D',traceparent='00-"
                    + TRACE
                    + "-b7ad6b7169203331-01',tracestate='secret'"))
        .isEqualTo(new Origin("shop", "/orders/{id} Orders#show", TRACE));
    assertThat(SqlCommenter.read("tracestate='x'")).isNull();
    assertThat(SqlCommenter.read("traceparent='garbage',route='%zz'")).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "/orders/17, /orders/?",
    "/orders/17/lines/3, /orders/?/lines/?",
    "/users/4711a0de-77aa-4b11-9c1e-000000000001/edit, /users/?/edit",
    "/find?name=smith, /find",
    "/v2/orders, /v2/orders",
    "/decade/feedback, /decade/feedback"
  })
  void aRouteHoldsNoValue(String route, String shown) {
    Origin origin = SqlCommenter.read("route='" + route.replace("/", "%2F") + "'");
    assertThat(origin).isEqualTo(new Origin(null, shown, null));
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          application='shop'%2Cversion='1.42',                 shop, 1.42
          application='shop%2F1.42',                            shop, 1.42
          application='shop%2F1.42'%2Cversion='3f2a9c1',        shop, 3f2a9c1
          service.version='build 7'%2Caction='show',             ,     build-7
          db_driver='psycopg2:2.8'%2Cframework='django:2.2.1'%2Capplication='shop', shop,
          """)
  void aVersionIsThatOfTheApplication(String comment, String application, String version) {
    Origin origin = SqlCommenter.read(comment.replace("%2C", ","));
    assertThat(origin.application()).isEqualTo(application);
    assertThat(origin.version()).isEqualTo(version);
  }

  @ParameterizedTest
  @CsvSource({
    "shop/1.42, shop, 1.42",
    "shop 1.42, shop, 1.42",
    "shop @ v1.42.0-rc1+7, shop, 1.42.0-rc1+7",
    "my shop/2026.11.27, my shop, 2026.11.27",
    "DBeaver 23.1.0, DBeaver, 23.1.0",
    "shop, shop,",
    "shop/1, shop/1,",
    "worker 17, worker 17,",
    "shop/10.0.0.12, shop/10.0.0.12,",
    "shop-1.42, shop-1.42,",
    "1.42, 1.42,",
    "pgAdmin 4 - DB:shop, pgAdmin 4 - DB:shop,",
    "PostgreSQL JDBC Driver, PostgreSQL JDBC Driver,"
  })
  void aVersionStandsBehindAName(String text, String name, String version) {
    assertThat(NamedVersion.of(text)).isEqualTo(new NamedVersion(name, version));
  }

  @Test
  void partsAreOneShortLine() {
    Origin origin = SqlCommenter.read("controller='a%0Ab" + "c".repeat(500) + "'");
    assertThat(origin.endpoint()).startsWith("abc").hasSizeLessThanOrEqualTo(Origin.MAX_CHARS);
    assertThat(SqlCommenter.bounded(" \n ")).isNull();
    assertThat(SqlCommenter.bounded("\ud83d\ude00".repeat(200)))
        .hasSizeLessThanOrEqualTo(Origin.MAX_CHARS)
        .endsWith("\ude00");
  }
}
