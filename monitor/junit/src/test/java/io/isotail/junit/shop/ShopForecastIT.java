package io.isotail.junit.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.junit.ForecastIsolation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.springframework.context.ConfigurableApplicationContext;

/** A Spring Boot application whose tests run one transaction after the other. */
final class ShopForecastIT {
  @TempDir private static Path reports;
  private static DataSource plain;
  private static ConfigurableApplicationContext context;

  @BeforeAll
  static void start() throws Exception {
    System.setProperty("isotail.reports", reports.toString());
    ShopServer.start();
    plain = ShopServer.source();
  }

  @AfterAll
  static void stop() throws Exception {
    System.clearProperty("isotail.reports");
    ShopServer.stop();
  }

  /** The tests of the team. */
  @ForecastIsolation
  static class ShopTest {
    private final Shop shop = context.getBean(Shop.class);
    private final SafeShop safe = context.getBean(SafeShop.class);

    @BeforeEach
    void fill() throws Exception {
      ShopSchema.fill(plain);
    }

    @Test
    void whatIsOrderedLeavesTheStock() throws Exception {
      shop.order(1, 3);
      safe.order(1, 3);
      assertThat(value("SELECT left_over FROM stock WHERE item = 1")).isEqualTo("7");
      assertThat(value("SELECT left_over FROM safe_stock WHERE item = 1")).isEqualTo("7");
    }

    @Test
    void aCouponIsUsed() throws Exception {
      shop.redeem("SPRING", 1);
      safe.redeem("SPRING", 1);
      assertThat(value("SELECT used FROM coupons")).isEqualTo("t");
    }

    @Test
    void aliceGoesOffCall() {
      shop.goOffCall("alice");
      safe.goOffCall("alice");
    }

    @Test
    void bobGoesOffCall() {
      shop.goOffCall("bob");
      safe.goOffCall("bob");
    }

    @Test
    void paymentsComeFromTheAccountThatIsAskedFor() throws Exception {
      shop.pay(1, "giro", 150);
      safe.pay(1, "giro", 150);
      assertThat(value("SELECT amount FROM accounts WHERE kind = 'giro'")).isEqualTo("-50");
    }

    @Test
    void creditPays() {
      shop.pay(1, "credit", 150);
      safe.pay(1, "credit", 150);
    }

    @Test
    void aParcelIsShipped() {
      shop.ship(1);
      safe.ship(1);
    }

    @Test
    void theTotalFollowsTheLines() throws Exception {
      shop.changeLine(1, 1, 15);
      safe.changeLine(1, 1, 15);
      assertThat(value("SELECT total FROM baskets")).isEqualTo("35");
    }

    @Test
    void theOtherLineCountsToo() {
      shop.changeLine(1, 2, 25);
      safe.changeLine(1, 2, 25);
    }

    private static String value(String sql) throws Exception {
      try (var c = plain.getConnection();
          var s = c.createStatement();
          var row = s.executeQuery(sql)) {
        row.next();
        return row.getString(1);
      }
    }
  }

  /**
   * On a machine with too much to do some statements may not be captured, which is said and proves
   * nothing: then the tests run again.
   */
  @Test
  void theSixMistakesAreProvedAndNoneOfTheSafeOnesIsToldOf() throws Exception {
    List<String> expected =
        List.of(
            "proved accounts",
            "proved basket_lines, baskets",
            "proved coupons",
            "proved parcels",
            "proved rota",
            "proved stock");
    List<String> told = told();
    for (int i = 0; i < 3 && !told.equals(expected); i++) {
      told = told();
    }
    assertThat(told).as(Files.readString(file("forecast", ".md"))).isEqualTo(expected);
    assertThat(Files.readString(file("forecast", ".md")))
        .containsPattern("Prevented by the database: .*pg_advisory_xact_lock.* waits");
    assertThat(Files.readString(file("report", ".html")))
        .contains("What could happen: 6 forecasts", "proved on the database", "</body></html>")
        .contains("Prevented by the database: ");
    assertThat(schemasOfForecasts()).isZero();
  }

  /** How sure each forecast is, and of which tables it is, sorted. */
  private static List<String> told() throws Exception {
    context = ShopServer.run();
    EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(ShopTest.class))
        .execute()
        .testEvents()
        .assertStatistics(tests -> tests.succeeded(9).failed(0));
    context.close();
    List<String> told = new ArrayList<>();
    JsonNode forecasts = new ObjectMapper().readTree(file("forecast", ".json").toFile());
    for (JsonNode forecast : forecasts.get("forecasts")) {
      told.add(
          forecast.get("certainty").asText()
              + " "
              + forecast.get("title").asText().replaceAll(".*: ", ""));
    }
    told.sort(null);
    return told;
  }

  private static long schemasOfForecasts() throws Exception {
    try (var c = plain.getConnection();
        var s = c.createStatement();
        var row =
            s.executeQuery(
                "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'isotail_forecast%'")) {
      row.next();
      return row.getLong(1);
    }
  }

  private static Path file(String begin, String end) throws Exception {
    try (Stream<Path> files = Files.list(reports)) {
      return files
          .filter(f -> f.getFileName().toString().startsWith(begin))
          .filter(f -> f.getFileName().toString().endsWith(end))
          .findFirst()
          .orElseThrow();
    }
  }
}
