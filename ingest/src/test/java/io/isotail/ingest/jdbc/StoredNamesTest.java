package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Names as a database stores them, and as they are declared. */
final class StoredNamesTest {
  @Test
  void anUnquotedNameIsDeclaredInLowerCase() {
    assertThat(StoredNames.UPPER_CASE.declared("STOCK_1")).isEqualTo("stock_1");
    assertThat(StoredNames.UPPER_CASE.stored("stock_1")).isEqualTo("STOCK_1");
    assertThat(StoredNames.AS_DECLARED.declared("STOCK_1")).isEqualTo("STOCK_1");
  }

  @Test
  void noQuotedNameIsTakenForAnUnquotedOne() {
    for (String quoted : new String[] {"stock", "Stock", "sTOCK"}) {
      assertThat(StoredNames.UPPER_CASE.declared(quoted)).isNotEqualTo("stock");
      assertThat(StoredNames.UPPER_CASE.stored(StoredNames.UPPER_CASE.declared(quoted)))
          .isEqualTo(quoted);
    }
  }
}
