package io.isotail.incremental.reads;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a full set forgets. */
final class KeysByTableTest {
  @Test
  void aTableThatFillsTheSetCountsAsAWholeAndTheOthersDoNot() {
    KeysByTable keys = new KeysByTable(100);
    keys.add("account", 1);
    keys.add(null, 2);
    for (int key = 1_000; key < 11_000; key++) {
      keys.add("queue", key);
    }
    assertThat(keys.contains("queue", 7)).isTrue();
    assertThat(keys.contains("account", 1)).isTrue();
    assertThat(keys.contains("account", 3)).isFalse();
    assertThat(keys.contains("other", 2)).as("of a table that is not known").isTrue();
    assertThat(keys.contains(null, 3)).as("it may be of the queue").isTrue();
  }

  @Test
  void moreTablesThanAreRememberedShareOnePlace() {
    KeysByTable keys = new KeysByTable(1_000_000);
    assertThat(keys.isEmpty()).isTrue();
    for (int table = 0; table < 2 * UnseenEffects.MAX_TABLES; table++) {
      keys.add("t" + table, table);
    }
    for (int table = 0; table < 2 * UnseenEffects.MAX_TABLES; table += 999) {
      assertThat(keys.contains("t" + table, table)).isTrue();
      assertThat(keys.contains("t" + table, -1)).isFalse();
    }
  }
}
