package io.isotail.monitor.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is said of something that the log does not tell. */
final class BinlogEventsTest {
  @Test
  void tablesThatWereDefinedAnewAreNamed() {
    assertThat(why(Set.of("stock"))).isEqualTo("a table that was defined anew: stock");
    assertThat(why(Set.of("stock", "orders")))
        .isEqualTo("tables that were defined anew: orders, stock");
    assertThat(BinlogEvents.Lost.byDefinition("defined anew, or emptied", null).why())
        .as("the whole database")
        .isEqualTo("tables that were defined anew, or emptied");
  }

  @Test
  void ofManyTheFirstOnesAreNamed() {
    Set<String> many = IntStream.range(100, 130).mapToObj(i -> "t" + i).collect(Collectors.toSet());
    assertThat(why(many))
        .endsWith(": t100, t101, t102, t103, t104, t105, t106, t107, t108, t109 and 20 more");
  }

  private static String why(Set<String> anew) {
    return BinlogEvents.Lost.byDefinition("defined anew", anew).why();
  }
}
