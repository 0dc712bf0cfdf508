package io.isotail.junit.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.isotail.junit.CheckIsolation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.EmptyResultDataAccessException;

/**
 * The shop, of which two users do the same at once: which of its mistakes happen, and that none of
 * the safe methods is blamed. {@code -Disotail.shop.runs=10} runs the tests more often.
 */
final class ShopAtOnceIT {
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

  /** Both begin at the same moment; what the application refuses is as good as what it does. */
  private static void atOnce(Runnable one, Runnable other) throws Exception {
    CyclicBarrier both = new CyclicBarrier(2);
    ExecutorService users = Executors.newFixedThreadPool(2);
    List<Future<?>> done = new ArrayList<>();
    for (Runnable each : List.of(one, other)) {
      Callable<Object> user =
          () -> {
            both.await();
            each.run();
            return "";
          };
      done.add(users.submit(user));
    }
    for (Future<?> each : done) {
      try {
        each.get();
      } catch (java.util.concurrent.ExecutionException refused) {
        assertThat(refused.getCause())
            .isInstanceOfAny(
                IllegalStateException.class,
                ConcurrencyFailureException.class,
                EmptyResultDataAccessException.class);
      }
    }
    users.shutdown();
  }

  /** The tests of the team, of the shop and of its safe twin. */
  @CheckIsolation
  static class AtOnceTest {
    private final Shop shop = context.getBean(Shop.class);
    private final SafeShop safe = context.getBean(SafeShop.class);

    @BeforeEach
    void fill() throws Exception {
      ShopSchema.fill(context.getBean(DataSource.class));
    }

    @Test
    void order() throws Exception {
      atOnce(() -> shop.order(1, 3), () -> shop.order(1, 2));
    }

    @Test
    void safeOrder() throws Exception {
      atOnce(() -> safe.order(1, 3), () -> safe.order(1, 2));
    }

    @Test
    void coupon() throws Exception {
      atOnce(() -> shop.redeem("SPRING", 1), () -> shop.redeem("SPRING", 2));
    }

    @Test
    void safeCoupon() throws Exception {
      atOnce(() -> safe.redeem("SPRING", 1), () -> safe.redeem("SPRING", 2));
    }

    @Test
    void rota() throws Exception {
      atOnce(() -> shop.goOffCall("alice"), () -> shop.goOffCall("bob"));
    }

    @Test
    void safeRota() throws Exception {
      atOnce(() -> safe.goOffCall("alice"), () -> safe.goOffCall("bob"));
    }

    @Test
    void payment() throws Exception {
      atOnce(() -> shop.pay(1, "giro", 150), () -> shop.pay(1, "credit", 150));
    }

    @Test
    void safePayment() throws Exception {
      atOnce(() -> safe.pay(1, "giro", 150), () -> safe.pay(1, "credit", 150));
    }

    @Test
    void parcel() throws Exception {
      atOnce(() -> shop.ship(1), () -> shop.ship(1));
    }

    @Test
    void safeParcel() throws Exception {
      atOnce(() -> safe.ship(1), () -> safe.ship(1));
    }

    @Test
    void basket() throws Exception {
      atOnce(() -> shop.changeLine(1, 1, 15), () -> shop.changeLine(1, 2, 25));
    }

    @Test
    void safeBasket() throws Exception {
      atOnce(() -> safe.changeLine(1, 1, 15), () -> safe.changeLine(1, 2, 25));
    }
  }

  @Test
  void mistakesHappenAndNoSafeMethodIsBlamed() {
    int runs = Integer.getInteger("isotail.shop.runs", 3);
    Map<String, Integer> failed = new TreeMap<>();
    for (int run = 0; run < runs; run++) {
      context = ShopServer.run();
      EngineTestKit.engine("junit-jupiter")
          .selectors(selectClass(AtOnceTest.class))
          .execute()
          .testEvents()
          .failed()
          .list()
          .forEach(test -> failed.merge(told(test), 1, Integer::sum));
      context.close();
    }
    failed.forEach((test, times) -> System.out.printf("%2d of %d %s%n", times, runs, test));
    assertThat(failed.keySet()).isNotEmpty().noneMatch(test -> test.startsWith("safe"));
  }

  /** The test and the first line of why it failed. */
  private static String told(Event test) {
    String why =
        test.getRequiredPayload(TestExecutionResult.class)
            .getThrowable()
            .map(Throwable::getMessage)
            .orElse("");
    return test.getTestDescriptor().getDisplayName() + " " + why.lines().findFirst().orElse("");
  }
}
