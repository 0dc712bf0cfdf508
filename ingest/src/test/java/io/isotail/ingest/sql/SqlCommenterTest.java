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
